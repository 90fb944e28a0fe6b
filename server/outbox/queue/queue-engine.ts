// The only file that imports the packages of the queue. The build makes a separate bundle of it
// (`build/bundles/plugins.ts`), which is loaded only if OUTBOX_URL is set.

export { createPostgresBackend, type Job, Queue, UnrecoverableError, WaitingError, Worker } from 'bullmq';
export { Redis } from 'ioredis';
export { default as pg } from 'pg';
