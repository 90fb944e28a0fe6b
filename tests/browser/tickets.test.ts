import { expect } from 'vitest';
import { TWO_VIEWS, violationsIn } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { browserTest } from '../support/browser-test.ts';
import { capture, startFakeBackend } from '../support/fake-backend.ts';
import { startSite } from '../support/start-site.ts';

const TICKETS = [
  {
    title: 'Germany → Vietnam',
    from: 'Germany',
    to: 'vietnam',
    amountLabel: 'Arrives in full',
    amount: '56,510,074 VND',
    by: 'by Tuesday, 15:00 in Hanoi',
    lines: [{ title: 'Fee', text: '1.20 EUR' }],
  },
  { title: 'To nowhere', from: 'Germany', to: 'Atlantis', amount: '1.00 EUR', lines: [] },
];

const it = browserTest.extend('site', { scope: 'file' }, async ({}, { onCleanup }) => {
  const backend = await startFakeBackend();
  const landing = structuredClone(capture('v4', 'landing.json')) as {
    data: { attributes: { headerBlock: string } };
  };
  const { attributes } = landing.data;
  attributes.headerBlock = JSON.stringify({
    ...JSON.parse(attributes.headerBlock),
    kind: 'ticket',
    tickets: TICKETS,
  });
  backend.on('/api/landing', landing);
  const site = await startSite({ contentBaseUrl: backend.url });
  onCleanup(async () => {
    await site.close();
    await backend.close();
  });
  return site;
});

it('a button shows its ticket and the line on the map, without scripts', async ({ browser, site }) => {
  const { page, close } = await openPage(browser, {
    javaScriptEnabled: false,
    viewport: { width: 1440, height: 900 },
  });
  await page.goto(site.url);
  const shown = async () => [
    await page.getByText('56,510,074 VND').isVisible(),
    await page.getByText('1.00 EUR').isVisible(),
    await page.locator('svg path[d*="Q"]').filter({ visible: true }).count(),
  ];
  const [first, , corridors] = await shown();
  expect(first).toBe(true);
  await page.getByText('To nowhere').click();
  // The second ticket has no line, because the map lacks one of its countries.
  expect(await shown()).toEqual([false, true, Number(corridors) - 1]);
  await page.getByRole('radio', { name: 'To nowhere' }).press('ArrowUp');
  expect(await shown()).toEqual([true, false, corridors]);
  await close();
});

it('a phone and a wide window show headline, buttons, amount and hour in the first screen', async ({
  browser,
  site,
}) => {
  for (const viewport of [
    { width: 360, height: 800 },
    { width: 1440, height: 900 },
  ]) {
    const { page, close } = await openPage(browser, { viewport });
    await page.goto(site.url);
    for (const text of ['Accept payments in 40 countries', 'See the fees', '56,510,074 VND', /^by Tuesday/]) {
      const box = await page.locator('main').getByText(text).first().boundingBox();
      expect([viewport.width, text, (box?.y ?? 0) + (box?.height ?? 0)]).toEqual([
        ...[viewport.width, text, expect.toSatisfy((end: number) => end > 0 && end <= viewport.height)],
      ]);
    }
    const small = await page.locator('#hero-title').evaluate(title =>
      Array.from(title.closest('section')?.querySelectorAll('*') ?? [])
        .filter(({ children, textContent }) => children.length === 0 && textContent?.trim())
        .filter(element => Number.parseFloat(getComputedStyle(element).fontSize) < 15)
        .map(({ textContent }) => textContent),
    );
    expect(small).toEqual([]);
    await close();
  }
});

it('axe finds nothing in a first block of tickets', async ({ browser, site }) => {
  const { page, close } = await openPage(browser, { reducedMotion: 'reduce' });
  await page.goto(site.url);
  expect(await violationsIn(TWO_VIEWS, page)).toEqual([]);
  await close();
});
