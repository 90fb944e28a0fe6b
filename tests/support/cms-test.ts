import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type EmbeddedBackend,
  startEmbeddedBackend,
} from '../../server/embedded-cms/start-embedded-backend.ts';
import { TEST_FILES } from './cms-files.ts';
import { SAMPLE_CONTENT } from './fixture.ts';

const CAPTURES = join(import.meta.dirname, '../captures');

export type Row = Record<string, unknown>;

export interface Answer {
  data: Row[];
  meta: { pagination: { page: number; pageSize: number; pageCount: number; total: number } };
}

export const PREVIEW_TOKEN = 'a-token-that-may-read-drafts';

/** An embedded backend with a separate folder. */
export interface Cms {
  root: string;
  contentDir: string;
  mailDir: string;
  warnings: [message: string, details: Record<string, unknown>][];
  /** @returns the file of the entry with this id, or null. */
  fileOf(id: string): string | null;
  /** Address of the backend started last. */
  readonly url: string;
  /** Stops the backend and starts another, by default on this content folder. */
  restart(contentDir?: string): Promise<void>;
  /** Writes a content file in one step, so that the backend never reads half of it. */
  write(path: string, content: string | Buffer): Promise<void>;
  /** Requests JSON from the backend and expects a 200. */
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** @returns the slugs of the articles that a query selects. */
  slugs(query: string): Promise<unknown[]>;
}

/** @returns an answer recorded from a real Strapi. */
export async function readCapture(name: string): Promise<unknown> {
  return JSON.parse(await readFile(join(CAPTURES, `${name}.json`), 'utf8'));
}

/** Gives each test an embedded backend, by default with the small content of `TEST_FILES`. */
export const cmsTest = test
  .extend('content', (): 'test files' | 'sample' => 'test files')
  .extend('cms', async ({ content }, { onCleanup }): Promise<Cms> => {
    const root = await mkdtemp(join(tmpdir(), 'embedded-backend-'));
    const contentDir = join(root, 'content');
    const mailDir = join(root, 'mail');
    const warnings: Cms['warnings'] = [];
    let backend: EmbeddedBackend | null = null;
    onCleanup(async () => {
      await backend?.close();
      await rm(root, { recursive: true });
    });

    const cms: Cms = {
      root,
      contentDir,
      mailDir,
      warnings,
      get url() {
        return backend?.url ?? '';
      },
      fileOf: id => backend?.fileOf(id) ?? null,
      async restart(dir = contentDir) {
        await backend?.close();
        backend = await startEmbeddedBackend({
          contentDir: dir,
          mailDir,
          previewToken: PREVIEW_TOKEN,
          onWarning: (...warning) => warnings.push(warning),
        });
      },
      async write(path, text) {
        await mkdir(dirname(join(contentDir, path)), { recursive: true });
        const draft = join(root, 'draft');
        await writeFile(draft, text);
        await rename(draft, join(contentDir, path));
      },
      async get(path, headers = {}) {
        const response = await fetch(cms.url + path, { headers });
        expect(response.status, path).toBe(200);
        return (await response.json()) as Answer;
      },
      slugs: async query => (await cms.get(`/api/articles?${query}`)).data.map(row => row.slug),
    };
    if (content === 'sample') await cp(SAMPLE_CONTENT, contentDir, { recursive: true });
    else for (const [path, text] of Object.entries(TEST_FILES)) await cms.write(path, text);
    await cms.restart();
    return cms;
  });

/** Repeats a request until its expectation holds, because the backend polls its folder for changes. */
export function polled<T>(ask: () => Promise<T>) {
  return expect.poll(ask, { interval: 20 });
}
