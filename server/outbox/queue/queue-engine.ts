// The only file that imports the packages of the queue. The build bundles it apart
// (`build/bundles/plugins.ts`), to be loaded only where OUTBOX_URL is set.

export { createPostgresBackend, type Job, Queue, UnrecoverableError, WaitingError, Worker } from 'bullmq';
export { Redis } from 'ioredis';
export { default as pg } from 'pg';
