import { realpath } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Warn } from './build-rows.ts';
import { answerContent } from './content-calls.ts';
import { type ContentFolder, type OnEvents, openContentFolder } from './content-folder.ts';
import { contentSources } from './content-types.ts';
import { removeExpiredMail } from './expired-mail.ts';
import { MAX_MAIL_BYTES, parseMail, storeMail } from './mail-folder.ts';
import { errorBody, StrapiError } from './strapi-error.ts';
import { serveUploads } from './uploads.ts';
import type { watchFolders } from './watch-folders.ts';

export interface EmbeddedBackendOptions {
  /** The folder with the content. Its README describes the files. */
  contentDir: string;
  /** The folder of messages, created with the first message. */
  mailDir: string;
  /** How long a message is kept. By default for ever. */
  mailDays?: number;
  /** The token that may read drafts. By default none may. */
  previewToken?: string | null | undefined;
  /** 0, the default, picks a free port. */
  port?: number;
  /** 127.0.0.1 by default: only this machine can reach it. */
  host?: string;
  /** Called for content that is left out and for failures. */
  onWarning?: Warn;
  /** Called with each change of the content, within a moment after it. Without this function the folder is read when it is asked for. */
  onEvents?: OnEvents;
  /** Watches folders. A test makes it fail as a system does that allows no more watchers. */
  watch?: typeof watchFolders;
}

export interface EmbeddedBackend {
  /** The backend's base address, without a trailing slash. */
  url: string;
  /** Names the backend by its content folder, because its port differs with each start: `embedded:` and the folder's real path. */
  name: string;
  /** @returns the file with the entry of an id, such as `articles/first.md`; null for an id without one. */
  fileOf(id: string): string | null;
  /** Accepts no more requests and waits for those in flight. */
  close(): Promise<void>;
}

/** Longer than the site keeps an idle connection, so that the site sends no request on a connection that is being closed. */
const KEEP_ALIVE_MS = 65_000;
/** How long requests in flight may take when the server closes. */
const DRAIN_MS = 2_000;

/**
 * Starts a server that answers the REST calls of a Strapi backend from a folder of JSON and Markdown. The site can then run without
 * Strapi, and calls this server over HTTP like any other backend.
 * @throws Error when the port is in use.
 */
export async function startEmbeddedBackend(options: EmbeddedBackendOptions): Promise<EmbeddedBackend> {
  const { port = 0, host = '127.0.0.1', contentDir, onWarning = () => {}, onEvents, watch } = options;
  const { mailDir, mailDays } = options;
  const folder = openContentFolder(contentDir, onWarning, onEvents, watch);
  const server = createServer(createApp(options, folder));
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await listen(server, port, host);
  if (onEvents) void folder.watch();
  const stopRemoving =
    mailDays === undefined
      ? () => {}
      : removeExpiredMail(mailDir, mailDays, error =>
          onWarning('expired messages could not be removed', { folder: mailDir, reason: String(error) }),
        );
  const address = server.address();
  const boundPort = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
    // A folder that is not there is an error of each call.
    name: `embedded:${await realpath(contentDir).catch(() => path.resolve(contentDir))}`,
    fileOf: folder.fileOf,
    close() {
      folder.close();
      stopRemoving();
      return close(server);
    },
  };
}

function createApp(
  { contentDir, mailDir, onWarning = () => {}, previewToken = null }: EmbeddedBackendOptions,
  folder: ContentFolder,
): Express {
  const app = express();
  app.disable('x-powered-by');
  // Strapi sends no ETag with its JSON, so the site must not rely on one.
  app.disable('etag');
  app.set('query parser', 'extended');

  app.use('/uploads', serveUploads(contentDir));
  for (const source of contentSources) {
    const address = `/api/${source.route}`;
    app.get(address, answerContent(source, folder, previewToken));
    app.all(address, methodNotAllowed('GET, HEAD'));
  }
  app.post(
    '/api/email/send',
    express.raw({ type: () => true, limit: MAX_MAIL_BYTES }),
    async (request, response) => {
      const body: unknown = request.body;
      const message = parseMail(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
      await storeMail(mailDir, message, request.get('Idempotency-Key') || undefined);
      response.json({});
    },
  );
  app.all('/api/email/send', methodNotAllowed('POST'));
  app.use(() => {
    throw StrapiError.ofStatus(404);
  });
  app.use(answerError(onWarning));
  return app;
}

function methodNotAllowed(allow: string): RequestHandler {
  return (_request, response) => {
    response.setHeader('Allow', allow);
    throw StrapiError.ofStatus(405);
  };
}

/** Answers every failure. Express's own errors have a status; a status below 500 is the caller's fault. */
function answerError(warn: Warn): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    const status = error instanceof Error && 'status' in error ? error.status : 500;
    const isCallers = typeof status === 'number' && status >= 400 && status < 500;
    const known = isCallers && !(error instanceof StrapiError) ? StrapiError.ofStatus(status) : error;
    const answer = errorBody(known);
    if (answer.status >= 500) {
      const reason = error instanceof Error ? error.message : String(error);
      warn('The embedded content backend failed', { path: request.path, reason });
    }
    response.status(answer.status).json(answer.body);
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

/** Closes idle connections at once, busy ones after their answer, and stuck ones when the time is over. */
function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    const giveUp = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(error => {
      clearInterval(sweep);
      clearTimeout(giveUp);
      if (error) reject(error);
      else resolve();
    });
  });
}
