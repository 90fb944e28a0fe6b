import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { stageTest } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { EXPECTED } from '../support/new-build-test.ts';

const FORM = `---
title: A form between texts
sections:
  - kind: contacts
    title: Write to us
    email: hello@acme.example
  - kind: text
    body: Below the form.
---
Above the form.
`;

const it = stageTest.extend('stageOptions', { scope: 'file' }, async () => ({
  pages: { 'form-block': FORM, 'to-blocks': '[Blocks](/what-blocks-show)' },
}));

const ofBlocks = (opened: { requests: readonly { url(): string }[] }, ending: 'js' | 'css') =>
  opened.requests
    .map(made => new URL(made.url()).pathname)
    .filter(path => /(?:steps|table|people|download|call-to-action|section-list|home)[.-]/.test(path))
    .filter(path => path.endsWith(`.${ending}`));
const columns = (page: Page) =>
  page
    .locator('.el-steps__list')
    .first()
    .evaluate(list => getComputedStyle(list).display);

describe('blocks on a page', () => {
  it('a first visit loads the stylesheets of its blocks and none of their scripts', async ({ open }) => {
    const opened = await open('/business-solutions/supplier-payments');
    expect(ofBlocks(opened, 'js')).toEqual([]);
    expect(
      ofBlocks(opened, 'css')
        .map(path => path.replace(/-\w+\.css$/, ''))
        .sort(),
    ).toEqual(['/assets/call-to-action', '/assets/steps']);
    expect(await columns(opened.page)).toBe('grid');
  });

  it('a navigation loads scripts and styles of the blocks before it shows the page', async ({ open }) => {
    const opened = await open('/to-blocks');
    expect([...ofBlocks(opened, 'js'), ...ofBlocks(opened, 'css')]).toEqual([]);
    await opened.go('/what-blocks-show');
    await opened.page.getByRole('heading', { name: 'How an account is opened' }).waitFor();
    expect(await columns(opened.page)).toBe('grid');
    expect(await opened.page.locator('main h2').allTextContents()).toContain('Ready when you are');
    // Blocks that the landing page also shows have their views in its chunk.
    await opened.page.getByRole('heading', { name: 'Banks we work with' }).waitFor();
    expect(ofBlocks(opened, 'js').some(path => path.startsWith('/assets/home-'))).toBe(true);
  });

  it('a portrait stands beside the words on a phone', async ({ open }) => {
    const { page } = await open('/what-blocks-show');
    await page.setViewportSize({ width: 360, height: 800 });
    const people = await page.locator('.el-people__person').evaluateAll(all =>
      all
        .map(({ children, lastElementChild }) => ({
          portrait: children[0]?.querySelector('img') ?? children[0],
          words: lastElementChild,
        }))
        .map(({ portrait, words }) => [portrait, words].map(one => one?.getBoundingClientRect().toJSON())),
    );
    expect(people.length).toBe(3);
    for (const [portrait, words] of people) expect(words.left).toBeGreaterThan(portrait.right);
  });

  it('a missing script of a block causes one full load', async ({ open }) => {
    const opened = await open('/about', { ignore: EXPECTED });
    await opened.page.route('**/assets/steps.late*.js', route =>
      route.fulfill({ status: 404, body: 'None' }),
    );
    await opened.page.evaluate(() => {
      const [link] = document.querySelectorAll<HTMLAnchorElement>('main a[href^="/"]');
      if (link) link.href = '/what-blocks-show';
      link?.click();
    });
    await eventually(() => expect(opened.documents()).toEqual(['/about', '/what-blocks-show']));
    await opened.page.getByRole('heading', { name: 'How an account is opened' }).waitFor();
  });

  it('the contact form works as a block between texts', async ({ open }) => {
    const { page } = await open('/form-block');
    expect(await page.locator('main').textContent()).toMatch(/Above the form.*Write to us.*Below the form/s);
    await page.locator('#contacts').getByRole('button').click();
    // The browser's script names the missing fields without a request.
    await page.locator('#contacts [role=status].is-invalid').waitFor();
    expect(new URL(page.url()).pathname).toBe('/form-block');
  });
});
