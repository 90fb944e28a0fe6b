import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Frame } from 'playwright-core';
import { startEmbeddedBackend } from '../../server/embedded-cms/start-embedded-backend.ts';
import { createPreviewCookie, type PreviewStatus } from '../../server/previews/preview-cookie.ts';
import { sendJson } from './fake-backend.ts';
import { FIXTURE_CONTENT } from './fixture.ts';
import { close, listen } from './listen.ts';

export const SECRET = 'a-secret-of-previews-with-more-than-32-characters';
export const TOKEN = 'a-token-that-may-read-drafts';
export const PREVIEW_ENV = { PREVIEW_SECRET: SECRET, PREVIEW_TOKEN: TOKEN };

/** The only draft article of the sample content. */
export const DRAFT_ARTICLE = '/blog/guides/draft-planning-for-next-year';

/** @returns the request header of an editor's browser. */
export function editor(status: PreviewStatus = 'draft', secret = SECRET, now?: () => number) {
  return { cookie: createPreviewCookie([secret], now).begin({ status, at: null }).split(';', 1)[0] ?? '' };
}

/** Slug of an article without a category, which the sample content lacks. */
export const NO_CATEGORY = 'a-note-without-a-category';

/** Slug of a page with slips: a heading skips a level, a question lacks its answer, a picture its words. */
export const SLIP = 'a-page-with-slips';

export interface DraftCms {
  url: string;
  /** Text at the beginning of every draft title. Tests change it, as an editor changes an entry. */
  mark: string;
  /** Status with which calls for drafts are refused, or null to answer them. */
  refusal: number | null;
  /** The folder with its content. */
  readonly contentDir: string;
  close(): Promise<void>;
}

/**
 * Starts a CMS with the sample content and an article without a category. Each entry has a draft with other
 * titles. Calls for drafts need the token.
 */
export async function startDraftCms(): Promise<DraftCms> {
  const contentDir = await mkdtemp(path.join(os.tmpdir(), 'draft-cms-'));
  await cp(FIXTURE_CONTENT, contentDir, { recursive: true });
  const note = '---\ntitle: A note\ndate: 2026-03-05\n---\n\nIt has no category.\n';
  await writeFile(path.join(contentDir, 'articles', `${NO_CATEGORY}.md`), note);
  const slip =
    '---\ntitle: A slip\nquestions:\n  - question: Only a question\n---\n\n## Two\n\n#### Four\n\n![](/uploads/none.svg)\n';
  await writeFile(path.join(contentDir, 'pages', `${SLIP}.md`), slip);
  const embedded = await startEmbeddedBackend({
    contentDir,
    mailDir: path.join(import.meta.dirname, 'no-mail'),
    previewToken: TOKEN,
  });
  const cms: DraftCms = {
    url: '',
    mark: 'Zebra',
    refusal: null,
    contentDir,
    close: async () => {
      await close(server);
      await embedded.close();
      await rm(contentDir, { recursive: true });
    },
  };
  const server = createServer((req, res) => {
    const isDraft = req.url?.includes('status=draft') === true;
    if (isDraft && cms.refusal !== null) return sendJson(res, cms.refusal, { error: { message: 'No' } });
    const onwards = request(embedded.url + req.url, { headers: req.headers }, async answer => {
      const { statusCode = 502, headers } = answer;
      if (!isDraft) {
        res.writeHead(statusCode, headers);
        return void answer.pipe(res);
      }
      const body = (await text(answer)).replaceAll(/"(title|h1)":"/g, `"$1":"${cms.mark} `);
      res.writeHead(statusCode, { 'Content-Type': 'application/json' }).end(body);
    });
    onwards.on('error', () => res.destroy());
    onwards.end();
  });
  cms.url = await listen(server);
  return cms;
}

/** Stands for the site's part of the panel: gives the frame a port, and keeps `fields` and `calls`. */
const PANEL_PART = `
  fields = {};
  calls = [];
  entry = { updatedAt: 'monday', by: '', hasDrafts: true };
  const answers = {
    read: ({ name }) => ({ ...entry, value: fields[name] }),
    save({ name, value, updatedAt }) {
      if (updatedAt !== entry.updatedAt) return { ...entry, value: fields[name], isChanged: true };
      fields[name] = value;
      entry.updatedAt += '+';
      return { ...entry, value };
    },
    choose: () => ({ value: 7 }),
    restore: ({ value, updatedAt }) => ({ ...entry, value, ...(updatedAt === entry.updatedAt ? {} : { isChanged: true }) }),
  };
  addEventListener('message', ({ data, origin, source }) => {
    if (data.type !== 'previewReady') return;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data: call, ports: [port] }) => {
      calls.push(call);
      port?.postMessage(answers[call.ask]?.(call));
    };
    source.postMessage({ type: 'sitePanel' }, origin, [port2]);
  });`;

/**
 * Starts a page that frames an address as the admin panel does, and records the messages that it gets. With
 * `panel` in its query it has the site's part of the panel.
 */
export async function startAdmin() {
  const server = createServer((req, res) => {
    const { searchParams } = new URL(req.url ?? '/', 'http://admin');
    const src = searchParams.get('src');
    const messages = 'messages = []; onmessage = ({ data, origin }) => messages.push([data.type, origin]);';
    const script = messages + (searchParams.has('panel') ? PANEL_PART : '');
    const frame = `<iframe width="800" height="500" src="${src?.replaceAll('&', '&amp;')}"></iframe>`;
    res.setHeader('Content-Type', 'text/html').end(`<script>${script}</script>${frame}`);
  });
  const url = await listen(server);
  return { url, close: () => close(server) };
}

/** @returns the frame of a page, after hydration. */
export async function frameOf(page: { frames(): Frame[] }): Promise<Frame> {
  const frame = page.frames()[1];
  if (!frame) throw new Error('The page has no frame');
  await frame.waitForFunction(() => document.documentElement.dataset.hydrated === 'true');
  return frame;
}
