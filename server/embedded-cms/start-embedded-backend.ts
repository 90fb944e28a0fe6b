import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { access, mkdir, realpath } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { unlessMissing } from '../cache/disk/missing-file.ts';
import { writeFileAtomically } from '../cache/disk/write-file-atomically.ts';
import { bearsSecret } from '../http/security/bearer-token.ts';
import { isObject } from '../wire/wire.ts';
import { queryRows, shapeRow } from './answer-rows.ts';
import type { Warn } from './build-rows.ts';
import {
  type ContentSource,
  contentSources,
  contentType,
  type JsonRecord,
  toJsonRecord,
} from './content-types.ts';
import { ContentFolder, type OnEvents } from './folder/content-folder.ts';
import { folderEditor } from './folder/edit-folder.ts';
import { reasonOf } from './folder/folder-files.ts';
import type { watchFolders } from './folder/watch-folders.ts';
import { parseListQuery, parseSelection } from './parse-query.ts';
import { errorBody, StrapiError } from './strapi-error.ts';

interface EmbeddedBackendOptions {
  contentDir: string;
  mailDir: string;
  /** The token for drafts; by default nobody may read drafts. */
  previewToken?: string | null | undefined;
  onWarning?: Warn;
  /** Called with each change of the content. Without it, only requests read the folder. */
  onEvents?: OnEvents;
  /** Watches folders. A test replaces it by a function that fails for lack of free watchers. */
  watch?: typeof watchFolders;
}

export type EmbeddedBackend = Awaited<ReturnType<typeof startEmbeddedBackend>>;

const HOST = '127.0.0.1';
/** How long idle connections stay open, in ms. Closing one could lose a request that the site is sending. */
const KEEP_ALIVE_MS = 65_000;
const MAX_MAIL_BYTES = 64 * 1024;

/** Answers Strapi's REST calls from a folder of files, on a free port of this machine. */
export async function startEmbeddedBackend(options: EmbeddedBackendOptions) {
  const { contentDir, onWarning = () => {}, onEvents, watch } = options;
  const folder = new ContentFolder(contentDir, onWarning, onEvents, watch);
  const server = createServer(createApp(options, folder));
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen(0, HOST);
  await once(server, 'listening');
  if (onEvents) void folder.watch();
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The backend has no port');
  return {
    url: `http://${HOST}:${address.port}`,
    // Identifies the backend at every start, because its port changes. Calls report a missing folder.
    name: `embedded:${await realpath(contentDir).catch(() => path.resolve(contentDir))}`,
    fileOf: (id: string) => folder.entryOf(id)?.file ?? null,
    edit: folderEditor(contentDir, folder),
    /** Stops the server. Stop its clients before, because all connections are closed. */
    async close() {
      folder.close();
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function createApp(
  { contentDir, mailDir, onWarning = () => {}, previewToken = null }: EmbeddedBackendOptions,
  folder: ContentFolder,
): Express {
  const app = express();
  app.disable('x-powered-by');
  // Send no ETag, as Strapi does, so that the site cannot rely on one.
  app.disable('etag');
  app.set('query parser', 'extended');

  app.use(
    '/uploads',
    express.static(path.join(contentDir, 'uploads'), {
      dotfiles: 'ignore',
      index: false,
      redirect: false,
      setHeaders: response => response.setHeader('X-Content-Type-Options', 'nosniff'),
    }),
  );
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

function answerContent(
  source: ContentSource,
  folder: ContentFolder,
  previewToken: string | null,
): RequestHandler {
  const type = contentType(source.type);
  return async ({ query, headers }, response) => {
    const selection = parseSelection(type, query);
    const list = source.kind === 'single' ? null : parseListQuery(type, query);
    const shape = String(headers['strapi-response-format']).toLowerCase() === 'v4' ? 'v4' : 'flat';
    const readsDrafts = query.status === 'draft';
    if (readsDrafts && (previewToken === null || !bearsSecret(headers.authorization, previewToken)))
      throw StrapiError.ofStatus(403);
    const snapshot = await (readsDrafts ? folder.withDrafts() : folder.current());
    const rows = snapshot.get(source.route) ?? [];
    if (list) {
      const { rows: found, pagination } = queryRows(rows, list);
      response.json({ data: found.map(row => shapeRow(row, selection, shape)), meta: { pagination } });
      return;
    }
    const [row] = rows;
    if (!row) throw StrapiError.ofStatus(404);
    response.json({ data: shapeRow(row, selection, shape), meta: {} });
  };
}

function methodNotAllowed(allow: string): RequestHandler {
  return (_request, response) => {
    response.setHeader('Allow', allow);
    throw StrapiError.ofStatus(405);
  };
}

/** Answers errors. A status below 500, which Express's errors have, is the caller's fault. */
function answerError(warn: Warn): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    const status = error instanceof Error && 'status' in error ? error.status : 500;
    const isCallers = typeof status === 'number' && status >= 400 && status < 500;
    const known = isCallers && !(error instanceof StrapiError) ? StrapiError.ofStatus(status) : error;
    const answer = errorBody(known);
    if (answer.status >= 500) {
      warn('The embedded content backend failed', { path: request.path, reason: reasonOf(error) });
    }
    response.status(answer.status).json(answer.body);
  };
}

/** Parses a JSON object, or a JSON string that contains one. @throws StrapiError (400) for other bodies. */
function parseMail(body: Buffer): JsonRecord {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    const message: unknown = typeof parsed === 'string' ? JSON.parse(parsed) : parsed;
    if (isObject(message)) return toJsonRecord(message);
  } catch {}
  throw StrapiError.ofStatus(400, 'The body must be a JSON object');
}

/** Stores a message. A repeated message has the same `key` (`Idempotency-Key`), so the same file. */
async function storeMail(mailDir: string, message: JsonRecord, key: string | undefined): Promise<void> {
  const name = createHash('sha256')
    .update(key ?? randomUUID())
    .digest('hex')
    .slice(0, 40);
  const file = path.join(mailDir, `${name}.json`);
  if ((await unlessMissing(access(file))) !== null) return;
  await mkdir(mailDir, { recursive: true });
  // Allow only the owner to read the file, because messages contain personal data.
  await writeFileAtomically(file, `${JSON.stringify(message, null, 2)}\n`, { mode: 0o600 });
}
