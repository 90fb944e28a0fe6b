import { describe, expect, it } from 'vitest';
import { entryHead, pageHead, titleWith } from '../../server/loading/head.ts';
import { titleWithoutSite } from '../../shared/payload/page-title.ts';

const ORIGIN = 'https://www.example.com';

describe('the title of a page', () => {
  it.each([
    ['About us', 'About us – Corridor'],
    [null, 'Corridor'],
    ['Corridor', 'Corridor'],
    ['corridor', 'corridor'],
    ['Corridor: payments that arrive', 'Corridor: payments that arrive'],
    ['About | CORRIDOR', 'About | CORRIDOR'],
    ['How Corridor works', 'How Corridor works'],
    ['Corridors of trade', 'Corridors of trade – Corridor'],
    ['A new corridor opens', 'A new corridor opens – Corridor'],
  ])('the page title %j becomes %j', (title, expected) => {
    expect(titleWith(title, 'Corridor')).toBe(expected);
  });

  it('a shared link shows the page title without the site name', () => {
    expect(titleWithoutSite('About us – Corridor', 'Corridor')).toBe('About us');
    expect(titleWithoutSite('Corridor', 'Corridor')).toBe('Corridor');
    expect(titleWithoutSite('About us – Corridor', '')).toBe('About us – Corridor');
  });
});

describe('the canonical address', () => {
  const canonical = (address: string | null, origin: string | null = ORIGIN) =>
    pageHead({ title: 'T', ...(address === null ? {} : { canonical: address }) }, 'Site', '/a', origin)
      .canonical;

  it.each([
    [null, '/a'],
    ['/b?page=2', '/b?page=2'],
    ['https://www.example.com/b', '/b'],
    ['https://elsewhere.example/b', 'https://elsewhere.example/b'],
    ['mailto:a@example.com', '/a'],
    ['//elsewhere.example', 'https://elsewhere.example/'],
  ])('the canonical address %j becomes %j', (address, expected) => {
    expect(canonical(address)).toBe(expected);
  });

  it('a page without an origin has no canonical address', () => {
    expect(canonical('https://elsewhere.example/b', null)).toBeNull();
  });
});

describe('the rules for robots', () => {
  const seo = { title: null, description: null, image: null, canonical: null };
  const rules = (robots: readonly string[] | null, origin: string | null = ORIGIN) =>
    pageHead(entryHead({ seo: { ...seo, robots }, title: 'T', description: null }), 'Site', '/a', origin)
      .robots;

  it('the robots rules are those of the editor', () => {
    expect(rules(null)).toBeNull();
    expect(rules(['noindex', 'nofollow'])).toBe('noindex, nofollow');
  });

  it('a page without an origin is noindex, whatever the editor says', () => {
    expect(rules(['max-snippet:20'], null)).toBe('noindex');
  });
});
