import type { Element } from 'hast';
import { toString as textOf } from 'hast-util-to-string';
import { visit } from 'unist-util-visit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import buttonStyles from '../../shared/ui/button.module.css';
import { capture } from '../support/fake-backend.ts';
import { parsePage } from '../support/parse-page.ts';
import { type SampleSite, startSampleSite } from '../support/sample-site.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { backendTest } from '../support/site-test.ts';

const LEGAL = ['/cookies', '/privacy', '/terms'];

interface FoundLink {
  readonly href: string;
  readonly text: string;
  readonly isButton: boolean;
}

function linksIn(element: Element | undefined): readonly FoundLink[] {
  const links: FoundLink[] = [];
  if (element)
    visit(element, { tagName: 'a' }, (link: Element) => {
      const { href, className = [] } = link.properties;
      const isButton = (className as string[]).includes(buttonStyles.root ?? '');
      links.push({ href: String(href), text: textOf(link), isButton });
    });
  return links;
}

const isOffer = ({ href }: { href: string }) => /^(?:\/contacts$|mailto:[^?])/.test(href);

describe('offers of the content', () => {
  let site: SampleSite;
  beforeAll(async () => {
    site = await startSampleSite({ env: { PUBLIC_URL: 'https://www.example.com' } });
  });
  afterAll(() => site.close());
  const page = async (path: string) =>
    parsePage((await sendRequest(site.url, path, { headers: AS_BROWSER })).text);

  it('every page but legal ones has a link to contact or mail in its main part', async () => {
    const { text } = await sendRequest(site.url, '/sitemap.xml');
    const paths = Array.from(text.matchAll(/<loc>([^<]+)/g), ([, url = '']) => new URL(url).pathname);
    expect(paths.length).toBeGreaterThan(50);
    const without: string[] = [];
    for (const path of paths)
      if (!linksIn((await page(path)).all('main')[0]).some(isOffer)) without.push(path);
    expect(without.filter(path => !LEGAL.includes(path))).toEqual([]);
  });

  it('each opening of the careers page has a link to mail', async () => {
    const rows = (await page('/careers'))
      .all('tr')
      .filter(row => row.children.some(cell => cell.type === 'element' && cell.tagName === 'td'));
    expect(rows.length).toBeGreaterThan(3);
    for (const row of rows)
      expect(linksIn(row).filter(({ href }) => href.startsWith('mailto:'))).toHaveLength(1);
  });

  it.each([
    ['a page of the blog', '/blog', ['Talk to us']],
    ['an index', '/business-solutions', ['Talk to us', 'Talk to us']],
    ['an entry with its own offer', '/business-solutions/payouts', ['Price one run', 'Price one run']],
    ['an article', '/blog/engineering/money-is-not-a-float', ['Ask for a test account']],
    ['a category', '/blog/engineering', ['Ask for a test account']],
    ['a legal page', '/terms', []],
  ])('%s shows its offer', async (_, path, offers) => {
    const parsed = await page(path);
    const buttons = linksIn(parsed.all('main')[0]).filter(({ isButton }) => isButton);
    expect(buttons.flatMap(({ href, text }) => (href === '/contacts' ? text : []))).toEqual(offers);
    expect(linksIn(parsed.all('header')[0]).map(({ text }) => text)).toContain('Talk to us');
  });

  it('an entry shows facts, three entries of its kind, and who answers the form', async () => {
    const parsed = await page('/business-solutions/payouts');
    expect(parsed.all('dt').map(textOf)).toEqual(['Price', 'Arrival', 'Limit']);
    const links = linksIn(parsed.all('main')[0]).map(({ href }) => href);
    const others = links.filter(href => /^\/business-solutions\/(?!payouts|supplier-payments)/.test(href));
    expect(new Set(others).size).toBe(3);
    expect(parsed.main).toContain('Marta LindqvistHead of corridorsMonday to Friday, 07:00–16:00 UTC');
    // An entry that does not ask for the form has none.
    expect((await page('/commerce/online-shops')).all('textarea')).toEqual([]);
  });

  it('the page with the contact form offers no link to itself', async () => {
    const links = linksIn((await page('/contacts')).all('main')[0]);
    expect(links.filter(({ href }) => href === '/contacts')).toEqual([]);
  });
});

describe('the block of contacts', () => {
  backendTest('topics from the content are choices in the form', async ({ backend, startOwnSite }) => {
    const landing = structuredClone(capture('v4', 'landing.json')) as {
      data: { attributes: { contactsBlock: object } };
    };
    Object.assign(landing.data.attributes.contactsBlock, { topics: 'A price\nA payment' });
    backend.on('/api/landing', landing);
    const site = await startOwnSite();
    const { text } = await sendRequest(site.url, '/', { headers: AS_BROWSER });
    expect(parsePage(text).all('option').map(textOf)).toEqual(['', 'A price', 'A payment']);
  });
});

describe('settings without an offer', () => {
  backendTest('pages have no button and no empty section', async ({ backend, startOwnSite }) => {
    backend.on('/api/settings', capture('v4', 'settings.json'));
    const site = await startOwnSite();
    const { text } = await sendRequest(site.url, '/about', { headers: AS_BROWSER });
    expect(JSON.stringify(parsePage(text).data)).not.toContain('"cta":{');
    expect(linksIn(parsePage(text).all('header')[0]).map(({ href }) => href)).not.toContain('/contacts');
  });
});
