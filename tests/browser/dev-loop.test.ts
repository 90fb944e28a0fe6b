import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { OPENED } from '../support/dev-loop.ts';
import { devTest as it, markDocument } from '../support/dev-test.ts';
import { eventually } from '../support/eventually.ts';

const FORM = 'site/blocks/contacts/contacts.tsx';
const CARD = '<div className={styles.card}>';
const HEADING = 'site/parts/section-heading.tsx';
const ROBOTS = 'server/endpoints/robots.ts';

describe('npm run dev', () => {
  it('an edited component is shown in the open page, which keeps its document and typed words', async ({
    dev,
    page,
  }) => {
    await page.locator('#contact-name').fill('Ada Example');
    const isSame = await markDocument(page);
    await dev.edit(FORM, CARD, `${CARD}<p id="added">Added</p>`);
    await page.locator('#added').waitFor();
    expect(await page.locator('#contact-name').inputValue()).toBe('Ada Example');
    // The server renders the edited component, too, and no page has old markup with new scripts.
    expect(await (await fetch(`${dev.url}/contacts`)).text()).toContain('id="added"');
    expect(await isSame()).toBe(true);
  });

  it('an edited style is swapped without a reload', async ({ dev, page }) => {
    const isSame = await markDocument(page);
    await dev.edit('site/blocks/contacts/contacts.module.css', '.card {', '.card { outline: 7px solid red;');
    await page.waitForFunction(() => {
      const card = document.querySelector('#contacts form')?.parentElement;
      return card && getComputedStyle(card).outlineWidth === '7px';
    });
    expect(await isSame()).toBe(true);
    const [address] = /\/assets\/site\.css/.exec(await (await fetch(`${dev.url}/contacts`)).text()) ?? [];
    expect(await (await fetch(dev.url + address)).text()).toContain('outline: 7px solid red');
  });

  it('edited content is shown in the open page, which keeps typed words', async ({ dev, page }) => {
    await page.locator('#contact-name').fill('Ada Example');
    const isSame = await markDocument(page);
    await dev.edit('content/pages/contacts.md', 'h1: ', 'h1: Edited, ');
    await page.getByRole('heading', { level: 1, name: 'Edited, ' }).waitFor();
    expect(await page.locator('#contact-name').inputValue()).toBe('Ada Example');
    expect(await isSame()).toBe(true);
  });

  it('a restart of the server refuses no request', async ({ dev }) => {
    let isNew = false;
    const ask = async () => {
      const statuses = new Set<number>();
      while (!isNew) {
        const answer = await fetch(`${dev.url}/robots.txt`);
        statuses.add(answer.status);
        isNew ||= (await answer.text()).includes('# edited');
      }
      return [...statuses];
    };
    const asked = [ask(), ask(), ask()];
    await dev.edit(
      ROBOTS,
      "? [\n          'User-agent: *',",
      "? [\n          '# edited',\n          'User-agent: *',",
    );
    expect(await Promise.all(asked)).toEqual([[200], [200], [200]]);
  });

  it('a mistake in a source is shown with its line, which opens the editor, until it is mended', async ({
    dev,
    page,
    overlay,
  }) => {
    await page.locator('#contact-name').fill('Ada Example');
    const isSame = await markDocument(page);
    await dev.edit(HEADING, 'export function SectionHeading(', 'export function SectionHeading((');
    const place = overlay.locator('.file .file-link');
    await place.waitFor();
    const shown = await place.innerText();
    expect(shown).toMatch(/^\/.+\/site\/parts\/section-heading\.tsx:\d+:\d+$/);
    await place.click();
    await eventually(async () =>
      expect(await readFile(path.join(dev.folder, OPENED), 'utf8')).toContain(
        'site/parts/section-heading.tsx',
      ),
    );
    await dev.edit(HEADING, 'export function SectionHeading((', 'export function SectionHeading(');
    await overlay.waitFor({ state: 'detached' });
    expect(await page.locator('#contact-name').inputValue()).toBe('Ada Example');
    expect(await isSame()).toBe(true);
  });

  it('a mistake in a type is shown with its line until it is mended', async ({ dev, overlay }) => {
    const first = 'import type { ReactNode }';
    const mistake = `export type Level = Missing;\n`;
    await dev.edit(HEADING, first, mistake + first);
    await overlay.getByText("Cannot find name 'Missing'").waitFor();
    expect(await overlay.locator('.file').innerText()).toContain('section-heading.tsx:1:21');
    await dev.edit(HEADING, mistake, '');
    await overlay.waitFor({ state: 'detached' });
  });

  it('an error while rendering, on server or browser, is shown with its line until it is mended', async ({
    dev,
    page,
    overlay,
  }) => {
    const line = 'const labels = useLabels();';
    const broken = `${line}\n  throw new Error(__BROWSER__ ? 'Broken in browsers' : 'Broken on the server');`;
    const before = (await readFile(path.join(dev.folder, FORM), 'utf8')).split(line, 1).join();
    const number = before.split('\n').length + 1;
    const place = new RegExp(`^/.+/site/blocks/contacts/contacts\\.tsx:${number}:\\d+$`);
    await dev.edit(FORM, line, broken);
    await overlay.getByText('Broken in browsers').first().waitFor();
    expect(await overlay.locator('.file').innerText()).toMatch(place);
    await page.reload();
    await overlay.getByText('Broken on the server').first().waitFor();
    expect(await overlay.locator('.file').innerText()).toMatch(place);
    await dev.edit(FORM, broken, line);
    await overlay.waitFor({ state: 'detached' });
    await page.locator('#contact-name').waitFor();
  });
});
