import { describe, expect } from 'vitest';
import type { FindingCode } from '../../server/doctor/finding.ts';
import { namedTypes } from '../../server/wire/described-types.ts';
import { entryTypes } from '../../shared/content/entries.ts';
import {
  asDrafts,
  isDraft,
  doctorTest as it,
  lineOf,
  type SickCms,
  without,
} from '../support/doctor-test.ts';
import { type Behaviour, failing } from '../support/fake-backend.ts';
import { PREVIEW_ENV } from '../support/preview-test.ts';

const ALL = namedTypes.map(([, { path }]) => path);

const isDraftOfToken = (query: URLSearchParams, authorization?: string) =>
  isDraft(query) && authorization !== undefined;
/** Refuses only drafts. */
const draftsRefused =
  (cms: SickCms, status: number): Behaviour =>
  (req, res) =>
    req.url?.includes('status=draft') ? failing(status, 'No')(req, res) : cms.pass(req, res);

describe('the doctor', () => {
  it('the doctor reports each fault that keeps editors from a preview', async ({ cms, examined }) => {
    const env = { ...PREVIEW_ENV, PREVIEW_FRAME_ORIGINS: cms.url };
    const lines = async (more: Readonly<Record<string, string>> = {}) =>
      (await examined({ ...env, ...more })).findings.map(lineOf);
    // The backend of this file refuses drafts at first. From here on it serves published content as drafts.
    for (const type of ALL) cms.alter(type, answer => answer);
    expect(await lines()).toEqual([]);
    // Each type with pages needs four calls.
    expect((await examined(env)).calls).toBeLessThanOrEqual(22 + 4 * entryTypes.length);
    expect(await lines({ PREVIEW_FRAME_ORIGINS: 'https://elsewhere.example' })).toEqual([
      expect.stringMatching(
        `may not show the preview in its frame → add ${cms.url} to PREVIEW_FRAME_ORIGINS`,
      ),
    ]);
  });

  it('the doctor mentions no panel for the preview if the site serves a folder', async ({ examined }) => {
    const env = { ...PREVIEW_ENV, CONTENT_BASE_URL: '', CONTENT: 'embedded' };
    const codes = (await examined(env)).findings.map(({ code }) => code);
    expect(codes).not.toContain('preview-frame-refused');
  });

  it.for<
    [
      code: FindingCode,
      what: string,
      refuse: (cms: SickCms, type: string) => void,
      env: Record<string, string>,
      line: RegExp,
    ]
  >([
    [
      'preview-token-refused',
      'may read nothing',
      (cms, type) => cms.on(`/api/${type}`, draftsRefused(cms, 403)),
      {},
      /^warning preview: PREVIEW_TOKEN cannot read drafts: answered 403 .* → .*API Tokens → 'Site preview': find of every type/,
    ],
    [
      'preview-token-refused',
      'is none of the CMS',
      (cms, type) => cms.on(`/api/${type}`, draftsRefused(cms, 401)),
      {},
      /^warning preview: PREVIEW_TOKEN cannot read drafts: answered 401 .* → set PREVIEW_TOKEN to another token.*'Site preview' \(PREVIEW_TOKEN in cms\/.env\)/,
    ],
    [
      'preview-token-without-permissions',
      'may not read two types',
      (cms, type) =>
        ['authors', 'main-page'].includes(type)
          ? cms.on(`/api/${type}`, draftsRefused(cms, 403))
          : cms.alter(type, answer => (type === 'articles' ? without('author')(answer) : answer), isDraft),
      {},
      /^warning preview: the token in PREVIEW_TOKEN may not read “Author”, “Blog start page”, .* → .*'Site preview' → Author, Main-page → allow find/,
    ],
    [
      'preview-token-without-permissions',
      'may not read a type without an address of its own',
      (cms, type) =>
        cms.alter(type, answer => (type === 'landing' ? without('countries_list')(answer) : answer), isDraft),
      {},
      /^warning preview: the token in PREVIEW_TOKEN may not read “Country”, .*→ Country → allow find/,
    ],
    [
      'preview-token-shared',
      'is that of the site, and reads drafts',
      (cms, type) =>
        cms.alter(type, answer => (type === 'articles' ? asDrafts(answer) : answer), isDraftOfToken),
      { CONTENT_TOKEN: PREVIEW_ENV.PREVIEW_TOKEN },
      /^warning preview: PREVIEW_TOKEN is the same token as CONTENT_TOKEN, so who gets hold .* → set PREVIEW_TOKEN to another token/,
    ],
    [
      'preview-token-shared',
      'is that of the site, and reads no drafts',
      (cms, type) => cms.on(`/api/${type}`, draftsRefused(cms, 403)),
      { CONTENT_TOKEN: PREVIEW_ENV.PREVIEW_TOKEN },
      /^warning preview: PREVIEW_TOKEN is the same token as CONTENT_TOKEN, and it may not read drafts → set PREVIEW_TOKEN/,
    ],
  ])(
    'the doctor reports %s if the preview token %s',
    async ([code, _what, refuse, env, line], { cms, examined }) => {
      for (const type of ALL) refuse(cms, type);
      const { findings } = await examined({ ...PREVIEW_ENV, PREVIEW_FRAME_ORIGINS: cms.url, ...env });
      expect(findings.map(finding => finding.code)).toEqual([code]);
      expect(findings.map(lineOf)).toEqual([expect.stringMatching(line)]);
    },
  );
});
