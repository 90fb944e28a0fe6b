import { mkdir, rename, symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stableId } from '../../server/embedded-cms/stable-id.ts';
import { startFolderSite, stateIn } from '../support/folder-site.ts';
import { editor } from '../support/preview-test.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';

let site: Awaited<ReturnType<typeof startFolderSite>>;
beforeAll(async () => {
  site = await startFolderSite();
});
afterAll(() => site.close());

const idOf = (type: string, name: string) => stableId(type, name).documentId;
const NOTE = { type: 'pages', id: idOf('page', 'note') };

/** Each way to write a text in YAML, between comments, in a file with a byte order mark. */
const FILE = `\uFEFF---
# The first line
title:   Plain   # and why
h1: 'Single: quoted'
description: "Double \\u0071uoted"
seo: { metaTitle: In a map, metaImage: { file: "cover-fees.svg", alt: Waves } }
order: 3
questions:
- question: >-
    Folded
    words
  answer: |
    Two

    lines
# The last line
---


Before  

*Text* of the page\t
`;

async function edited(call: { type: string; id: string; name: string }, file: string, value: string) {
  const { updatedAt } = stateIn(await site.ask(call));
  const answer = await site.ask({ ...call, value, updatedAt });
  expect([answer.status, stateIn(answer).value, stateIn(answer).file]).toEqual([200, value, file]);
  return site.read(file);
}

describe('an edit of the content folder', () => {
  it.each([
    ['title', 'Plain', 'Other, new', 'Plain ', 'Other, new '],
    ['title', 'Plain', 'true', 'Plain ', '"true" '],
    ['title', 'Plain', 'a: b # c', 'Plain ', '"a: b # c" '],
    ['h1', 'Single: quoted', "It's", "'Single: quoted'", "'It''s'"],
    ['description', 'Double quoted', 'A "b"', '"Double \\u0071uoted"', '"A \\"b\\""'],
    ['seo.metaTitle', 'In a map', 'One, two', 'In a map', '"One, two"'],
    ['seo.metaTitle', 'In a map', 'One\ntwo', 'In a map', 'One\n\n  two'],
    ['seo.metaImage', 'cover-fees.svg', 'cover-euro.svg', 'cover-fees', 'cover-euro'],
    ['questions.0.answer', 'Two\n\nlines\n', 'One\n', 'Two\n\n    lines', 'One'],
    ['questions.0.question', 'Folded words', 'Long words', 'Folded\n    words', 'Long words'],
    ['body', 'Before  \n\n*Text* of the page', 'Before  \n\nOther', '*Text* of the page', 'Other'],
  ])(
    'an edit changes %s of a Markdown file from %j to %j, and no other character',
    async (name, old, value, ...parts) => {
      await site.write('pages/note.md', FILE);
      const before = await site.ask({ ...NOTE, name });
      expect([before.status, stateIn(before).value]).toEqual([200, old]);
      expect(await edited({ ...NOTE, name }, 'pages/note.md', value)).toBe(
        FILE.replace(...(parts as [string, string])),
      );
    },
  );

  it('an edit keeps the line ends of a file', async () => {
    await site.write('pages/note.md', '---\r\ntitle: Note\r\n---\r\n\r\nOne\r\n\r\nTwo\r\n');
    const call = { ...NOTE, name: 'body' };
    const { value, updatedAt } = stateIn(await site.ask(call));
    expect(value).toBe('One\r\n\r\nTwo');
    // Browsers send the text of a form as JSON with different line ends.
    expect((await site.ask({ ...call, value: 'One\n\nThree', updatedAt })).status).toBe(200);
    expect(await site.read('pages/note.md')).toBe('---\r\ntitle: Note\r\n---\r\n\r\nOne\r\n\r\nThree\r\n');
  });

  it('an edit changes a text in a JSON file, in a list item, or one that is a list item', async () => {
    const landing = await site.read('landing.json');
    const { headerBlock } = JSON.parse(landing) as { headerBlock: { title: string } };
    const words = 'With "marks", \\ and\nlines \u{1F600}';
    expect(
      await edited(
        { type: 'landing', id: idOf('landing', 'landing'), name: 'headerBlock.title' },
        'landing.json',
        words,
      ),
    ).toBe(
      landing.replace(
        `    "title": ${JSON.stringify(headerBlock.title)}`,
        `    "title": ${JSON.stringify(words)}`,
      ),
    );
    const tags = '[\n\t{ "name": "Fees" },\n\t{ "name": "Costs",  "description": "Old" }\n]\n';
    await site.write('tags.json', tags);
    const costs = { type: 'tags', id: idOf('tag', 'Costs'), name: 'description' };
    expect(await edited(costs, 'tags.json', 'New')).toBe(tags.replace('Old', 'New'));
    await site.write('landing.json', '{ "earnMoreBlock": { "checkmarks": ["One", "Two"] } }');
    const second = {
      type: 'landing',
      id: idOf('landing', 'landing'),
      name: 'earnMoreBlock.checkmarks.1.title',
    };
    expect(await edited(second, 'landing.json', 'Three')).toBe(
      '{ "earnMoreBlock": { "checkmarks": ["One", "Three"] } }',
    );
    await site.write('landing.json', landing);
  });

  it('no item of a list can be edited if an invalid item of the list is left out', async () => {
    const before = await site.read('pages/note.md');
    const sections = ['quote\n  text: First', 'no-such-kind', 'quote\n  text: Second'];
    const list = sections.map(section => `- kind: ${section}\n`).join('');
    await site.write('pages/note.md', `---\ntitle: Note\nsections:\n${list}---\n`);
    const second = await site.ask({ ...NOTE, name: 'sections.1.text' });
    expect(stateIn(second)).toEqual({ file: 'pages/note.md', refused: expect.stringContaining('left out') });
    await site.write('pages/note.md', before);
  });

  it('an edit is shown by the next page', async () => {
    await site.write('pages/note.md', FILE);
    await edited({ ...NOTE, name: 'body' }, 'pages/note.md', 'Zanzibar');
    const page = await sendRequest(site.url, '/note', { headers: { ...AS_BROWSER, ...editor() } });
    expect(page.text).toContain('Zanzibar');
  });

  it('an edit of a file that has changed since it was read writes nothing, and returns the new content', async () => {
    await site.write('pages/note.md', FILE);
    const { updatedAt } = stateIn(await site.ask({ ...NOTE, name: 'title' }));
    const theirs = FILE.replace('Plain', 'Theirs');
    await site.write('pages/note.md', theirs);
    const answer = await site.ask({ ...NOTE, name: 'title', value: 'Mine', updatedAt });
    expect(answer.status).toBe(409);
    expect(stateIn(answer)).toMatchObject({ isChanged: true, value: 'Theirs' });
    expect(await site.read('pages/note.md')).toBe(theirs);
    const again = { ...NOTE, name: 'title', updatedAt: stateIn(answer).updatedAt };
    // Long texts, so that the second request is read while the first one is written.
    const values = ['1', '2', '3', '4', '5', '6'].map(letter => letter.repeat(500_000));
    const answers = await Promise.all(values.map(value => site.ask({ ...again, value })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
  });
});

describe('an edit is refused', () => {
  const statusOf = async (headers: Record<string, string | undefined>) =>
    (await site.ask({ ...NOTE, name: 'title' }, headers)).status;

  it('an edit is refused to pages of other sites, foreign hosts, other machines, and visitors without a preview', async () => {
    await site.write('pages/note.md', FILE);
    const { port } = new URL(site.url);
    const rebound = `evil.example:${port}`;
    expect(await statusOf({})).toBe(200);
    expect(await statusOf({ host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}` })).toBe(200);
    expect(await statusOf({ origin: 'https://evil.example' })).toBe(403);
    expect(await statusOf({ origin: `http://localhost:${Number(port) + 1}` })).toBe(403);
    expect(await statusOf({ origin: 'null' })).toBe(403);
    expect(await statusOf({ origin: undefined })).toBe(403);
    expect(await statusOf({ host: rebound, origin: `http://${rebound}` })).toBe(403);
    expect(await statusOf({ 'x-forwarded-for': '203.0.113.7' })).toBe(403);
    expect(await statusOf({ cookie: undefined })).toBe(403);
    expect(await statusOf(editor('published'))).toBe(403);
    expect(await statusOf({ 'content-type': 'text/plain' })).toBe(400);
  });

  it.each([
    ['no entry', { ...NOTE, id: '../../etc/passwd', name: 'title' }, 'No file has this entry'],
    ['no text', { ...NOTE, name: 'order' }, 'The file has no text of that name'],
    [
      'a missing upload',
      { ...NOTE, name: 'seo.metaImage', value: '../note.md' },
      'No file of uploads/ has that name',
    ],
  ])('an edit is refused for %s', async (_what, call, refused) => {
    await site.write('pages/note.md', FILE);
    const { updatedAt } = stateIn(await site.ask({ ...NOTE, name: 'title' }));
    const answer = await site.ask({ ...call, updatedAt });
    expect([answer.status, stateIn(answer).refused]).toEqual([422, refused]);
    expect(await site.read('pages/note.md')).toBe(FILE);
  });

  it('an edit is refused for a link out of the folder, and for a file that is not UTF-8', async () => {
    await site.write('pages/note.md', FILE);
    const file = path.join(site.contentDir, 'pages/note.md');
    await mkdir(path.join(site.contentDir, '_outside'), { recursive: true });
    const outside = path.join(site.contentDir, '_outside/note.md');
    await rename(file, outside);
    await symlink(outside, file);
    expect(stateIn(await site.ask({ ...NOTE, name: 'title' })).refused).toBe(
      'A file that is a link is not written',
    );
    await rename(outside, file);
    await site.write('pages/note.md', Buffer.concat([Buffer.from(FILE), Buffer.of(255)]));
    expect((await site.ask({ ...NOTE, name: 'title' })).status).toBe(422);
  });

  it('an edit is refused in production, where the page does not offer it either', async () => {
    const page = (base: string) =>
      sendRequest(base, '/', { headers: { ...AS_BROWSER, ...editor(), host: new URL(base).host } });
    expect((await page(site.url)).text).toContain('"editsFiles":true');
    const production = await startFolderSite({
      NODE_ENV: 'production',
      PUBLIC_URL: 'any',
    });
    try {
      expect((await production.ask({ ...NOTE, name: 'title' })).status).toBe(405);
      expect((await page(production.url)).text).toContain('"editsFiles":false');
    } finally {
      await production.close();
    }
  });
});
