import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startEmbeddedBackend } from '../../server/embedded-cms/start-embedded-backend.ts';
import { contentTypes } from '../../shared/content/content-types.ts';
import { currentAnswer } from './current-answer.ts';
import { sendWebhook } from './editable-backend.ts';
import { eventually } from './eventually.ts';
import { FIXTURE_CONTENT } from './fixture.ts';
import { payloadPath } from './payload-path.ts';
import { startRelay } from './relay.ts';
import { type Answer, AS_BROWSER, sendRequest } from './send-request.ts';
import { startSite } from './start-site.ts';

const SECRET = 'a-secret-of-the-backend';

/** A row as the backend sends it without a header for another shape. */
export type FlatRow = Record<string, unknown> & { id: number; documentId: string; slug?: string };

/** Consequences of an event. Pages and payloads are given by their addresses, sorted. */
export interface Consequences {
  /** Addresses that were fresh before the event and stale after it. */
  stale: string[];
  /** Addresses whose answers the change has altered, according to the control site. */
  changed: string[];
  /** All addresses, whether or not the event concerns them. */
  all: readonly string[];
  /**
   * Addresses whose answers still differ from the control site after all stale pages were requested again.
   */
  wrong: string[];
  /** Content calls until the event was answered, and until no page was stale. */
  calls: { event: number; all: number };
  /** Answer to the event. */
  purged: string[];
}

export interface EditedSample {
  /** Replaces texts in content files. `null` deletes the file, and a missing file is written. */
  edit(files: Readonly<Record<string, string | null | ((text: string) => string)>>): Promise<void>;
  /** @returns the row of a collection with a slug or name, or a single type. */
  row(type: string, name?: string): Promise<FlatRow>;
  /** Stores all pages and payloads, makes an edit, and sends its event. @returns the consequences. */
  consequencesOf(
    edit: Parameters<EditedSample['edit']>[0],
    event: () => Promise<object> | object,
  ): Promise<Consequences>;
  close(): Promise<void>;
}

/** @returns an event about a row, in the form of Strapi 5. */
export function eventOf(event: string, model: string, row: FlatRow): object {
  const createdAt = new Date().toISOString();
  return {
    event,
    createdAt,
    model,
    uid: `api::${model}.${model}`,
    entry: { ...row, publishedAt: createdAt },
  };
}

/** Addresses of all pages and payloads at one time, and the right answers by address. */
interface Known {
  list: readonly string[];
  right: ReadonlyMap<string, string>;
}

/**
 * Starts a site on a copy of the sample content. Each edit starts a new control site, which has nothing
 * stored and is thus always right.
 */
export async function startEditedSample(): Promise<EditedSample> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'edited-'));
  const contentDir = path.join(dir, 'content');
  await cp(FIXTURE_CONTENT, contentDir, { recursive: true });
  const backend = await startEmbeddedBackend({ contentDir, mailDir: path.join(dir, 'mail') });
  const relay = await startRelay(backend.url);
  const env = { PUBLIC_URL: 'https://www.example.com', WEBHOOK_SECRET: SECRET };
  const site = await startSite({ contentBaseUrl: relay.url, env: { ...env, CONTENT_TTL_MS: '3600000' } });
  /** Answers of the last control site. */
  let last: Known | null = null;
  const get = (base: string, address: string) => sendRequest(base, address, { headers: AS_BROWSER });

  const answers = async (base: string, list: readonly string[]) => {
    const found = new Map<string, string>();
    for (const address of list) found.set(address, shown(await currentAnswer(base, address)));
    return found;
  };

  /**
   * Starts a control site. @returns the addresses of all pages and payloads, with its answers to these and
   * `more`.
   */
  async function askControl(more: readonly string[] = []): Promise<Known> {
    const control = await startSite({ contentBaseUrl: backend.url, env: { ...env, PAGE_CACHE_BYTES: '0' } });
    try {
      const sitemap = (await get(control.url, '/sitemap.xml')).text;
      const pages = [...sitemap.matchAll(/<loc>https:\/\/www\.example\.com(\/[^<]*)<\/loc>/g)].map(
        ([, at = '']) => at,
      );
      const list = [...pages, '/blog/guides?page=2'].flatMap(address => [address, payloadPath(address)]);
      return { list, right: await answers(control.url, [...new Set([...list, ...more])]) };
    } finally {
      await control.close();
    }
  }

  /** @returns the addresses of the stored pages, and whether they are fresh. */
  const stored = () =>
    new Map(
      [...site.site.pages.entries()].map(({ key, isFresh }) => {
        const [form = '', url = ''] = key.split(' ');
        const address = url.slice(env.PUBLIC_URL.length);
        return [form === 'payload' ? payloadPath(address) : address, isFresh];
      }),
    );

  const allContent = async () => {
    const types = Object.values(contentTypes).flatMap(({ path: at }) => at ?? []);
    const answersOf = types.map(type => get(backend.url, `/api/${type}?populate=*&pagination[pageSize]=100`));
    return (await Promise.all(answersOf)).map(({ text }) => text).join();
  };

  const edit: EditedSample['edit'] = async files => {
    for (const [file, change] of Object.entries(files)) {
      const at = path.join(contentDir, file);
      if (change === null) await rm(at);
      else await writeFile(at, typeof change === 'string' ? change : change(await readFile(at, 'utf8')));
    }
  };

  return {
    edit,
    async row(type, name) {
      const query = 'populate=*&pagination[pageSize]=100';
      const { data } = (await get(backend.url, `/api/${type}?${query}`)).json<{
        data: FlatRow | FlatRow[];
      }>();
      const row = Array.isArray(data)
        ? data.find(found => found.slug === name || found.name === name || found.link === name)
        : data;
      if (!row) throw new Error(`There is no '${name}' in ${type}`);
      return row;
    },
    async consequencesOf(files, event) {
      // Nothing has changed since the last edit, so the answers of its control site are still right.
      const { list, right: before } = last ?? (await askControl());
      await eventually(async () => {
        await answers(site.url, list);
        const fresh = stored();
        const missing = list.filter(address => !fresh.get(address));
        if (missing.length > 0) throw new Error(`These are not stored: ${missing.join(' ')}`);
      });
      const sent = await allContent();
      await edit(files);
      // The backend checks its folder about once a second.
      if (Object.keys(files).length > 0)
        await eventually(async () => {
          if ((await allContent()) === sent) throw new Error('The backend has not noticed the edit');
        });
      const body = await event();
      relay.calls.length = 0;
      const purged = (await sendWebhook(site.url, SECRET, body)).json<{ purged: string[] }>().purged;
      const atEvent = contentCalls();
      const fresh = stored();
      const stale = list.filter(address => !fresh.get(address));
      last = await askControl(list);
      const after = last.right;
      const shownNow = await answers(site.url, [...after.keys()]);
      const calls = { event: atEvent, all: contentCalls() };
      return {
        stale: stale.sort(),
        all: list,
        changed: list.filter(address => before.get(address) !== after.get(address)).sort(),
        wrong: [...after.keys()].filter(address => shownNow.get(address) !== after.get(address)).sort(),
        calls,
        purged,
      };
    },
    async close() {
      await site.close();
      await relay.close();
      await backend.close();
      await rm(dir, { recursive: true, force: true });
    },
  };

  function contentCalls(): number {
    return relay.calls.filter(({ path: called }) => called.startsWith('/api/')).length;
  }
}

/**
 * @returns the parts of an answer that a visitor may notice, without file versions, which only events change.
 */
function shown({ status, headers, text }: Answer): string {
  return [status, headers.location ?? '', text.replaceAll(FILE_VERSION, '')].join('\n');
}

const FILE_VERSION = /(?:\?v=|%3Fv%3D)[0-9a-z]{1,12}/g;
