// The only file that imports the packages of the queue. The build makes a file of its own from it (`build/modules-apart.ts`), which is read only
// where OUTBOX_URL is set.

export { createPostgresBackend, type Job, Queue, UnrecoverableError, WaitingError, Worker } from 'bullmq';
export { Redis } from 'ioredis';
export { default as pg } from 'pg';
