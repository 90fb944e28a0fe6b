import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { HtmlValidate } from 'html-validate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SAMPLE_PATHS, type SampleSite, startSampleSite } from '../support/sample-site.ts';
import { AS_BROWSER, postForm, sendRequest } from '../support/send-request.ts';

/** All routes, and other HTML responses. */
const PATHS = [
  ...Object.values(SAMPLE_PATHS),
  '/blog/engineering/what-a-page-can-show',
  `${SAMPLE_PATHS['blog-category']}?page=2`,
  '/business-solutions',
  '/contacts',
  '/contacts?sent=contact',
  '/abuot',
  '/%zz',
];
/** React writes void elements as XHTML does. The checker reports this, although it is valid. */
const REACTS_OWN = 'Trailing slash on void elements';
const hasJava = spawnSync('java', ['-version']).status === 0;

let site: SampleSite;
/** The HTML of each document, by its address. */
const documents = new Map<string, string>();

beforeAll(async () => {
  site = await startSampleSite();
  for (const address of PATHS) {
    documents.set(address, (await sendRequest(site.url, address, { headers: AS_BROWSER })).text);
  }
  const refused = await postForm(site.url, '/api/email/send', { form: 'contact', page: '/contacts' });
  documents.set('a form that was refused', refused.text);
});
afterAll(() => site.close());

/**
 * The HTML standard (4.11.1) allows this attribute. The checker is older than it, because newer ones download
 * files during installation.
 */
const UNKNOWN_TO_NU = 'Attribute “name” not allowed on element “details” at this point.';

/** Runs the Nu Html Checker once for all documents. @returns its complaints, one line each. */
async function checkByNu(pages: ReadonlyMap<string, string>): Promise<string[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'html-'));
  try {
    const names = [...pages.keys()];
    const files = await Promise.all(
      names.map(async (name, index) => {
        const file = path.join(folder, `${index}.html`);
        await writeFile(file, pages.get(name) ?? '');
        return file;
      }),
    );
    const jar = createRequire(import.meta.url).resolve('vnu-jar/build/dist/vnu.jar');
    const output = await new Promise<string>((resolve, reject) => {
      // The exit code is 1 when the checker finds something, so the output decides. Its run is too short for
      // an optimising compiler.
      const options = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xss4m'];
      execFile(
        'java',
        [...options, '-jar', jar, '--format', 'json', '--stdout', ...files],
        (error, stdout) =>
          stdout ? resolve(stdout) : reject(error ?? new Error('The checker says nothing')),
      );
    });
    const { messages } = JSON.parse(output) as {
      messages: { type: string; url: string; message: string; extract?: string }[];
    };
    return messages
      .filter(({ message }) => !message.startsWith(REACTS_OWN) && message !== UNKNOWN_TO_NU)
      .map(({ type, url, message, extract }) => {
        const name = names[Number(path.basename(url, '.html'))];
        return `${name}: ${type}: ${message}: ${extract ?? ''}`;
      });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Rules of the standard, without rules of taste. */
const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:standard'],
  rules: {
    // React's markup is valid, but violates the style of these rules.
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'void-style': 'off',
    'doctype-style': 'off',
    'no-trailing-whitespace': 'off',
    'no-inline-style': 'error',
    'long-title': 'off',
    'require-sri': 'off',
  },
});

async function checkByHtmlValidate(pages: ReadonlyMap<string, string>): Promise<string[]> {
  const complaints: string[] = [];
  for (const [name, html] of pages) {
    const { results } = await validator.validateString(html);
    for (const { messages } of results) {
      complaints.push(
        ...messages.map(({ ruleId, message, selector }) => `${name}: ${ruleId}: ${message}: ${selector}`),
      );
    }
  }
  return complaints;
}

const BROKEN = new Map([
  [
    'broken',
    '<!doctype html><html lang="en"><head><title>a</title></head><body><p><div id="a"></div></p><img src="a.png" id="a"></body></html>',
  ],
]);

it('each response is an HTML document in English', () => {
  for (const [name, html] of documents)
    expect(html, name).toMatch(/^<!doctype html><html lang="en-GB" dir="ltr">/);
});

/** All documents and the broken one are checked in one run, because the checker starts slowly. */
let complaintsOfNu: Promise<string[]> | undefined;
const isOfBroken = (complaint: string) => complaint.startsWith('broken: ');
function checkAllByNu(): Promise<string[]> {
  complaintsOfNu ??= checkByNu(new Map([...documents, ...BROKEN]));
  return complaintsOfNu;
}

it('the Nu Html Checker finds no fault in any document', async ({ skip }) => {
  skip(!hasJava, 'The Nu Html Checker needs Java: install a headless JRE, as .ci/run does.');
  expect((await checkAllByNu()).filter(complaint => !isOfBroken(complaint))).toEqual([]);
});

it('the Nu Html Checker finds the faults of a broken document', async ({ skip }) => {
  skip(!hasJava, 'The Nu Html Checker needs Java: install a headless JRE, as .ci/run does.');
  expect((await checkAllByNu()).filter(isOfBroken).length).toBeGreaterThan(0);
});

it('html-validate finds no fault in any document', async () => {
  expect(await checkByHtmlValidate(documents)).toEqual([]);
});

it('html-validate finds the faults of a broken document', async () => {
  expect((await checkByHtmlValidate(BROKEN)).length).toBeGreaterThan(0);
});
