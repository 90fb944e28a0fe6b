import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createMediaPolicy,
  isExecutableAddress,
  safeHref,
  safeRedirectTarget,
  safeSlug,
} from '../../server/addresses/safe-address.ts';
import { runs } from '../support/in-full.ts';

const hostile: unknown[] = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  'java\r\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  '\u00a0javascript:alert(1)',
  '\u200bjavascript:alert(1)',
  '\ufeffjavascript:alert(1)',
  'javascript\u003aalert(1)',
  'javascript&colon;alert(1)',
  'javascript://example.com/%0aalert(1)',
  'javascript:/*--></title>*/alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:image/svg+xml;base64,PHN2Zz4=',
  'vbscript:msgbox(1)',
  'blob:https://example.com/1',
  'file:///etc/passwd',
  'ftp://example.com/',
  'ws://example.com/',
  'about:blank',
  'view-source:https://example.com/',
  'intent://x#Intent;end',
  'feed:javascript:alert(1)',
  'jar:https://example.com!/x',
  'https://user:pass@example.com/',
  'https://user@example.com/',
  'https://@example.com/',
  'https://:@example.com/',
  'https://example.com@evil.example/',
  '//user@evil.example/',
  '/\\evil.example',
  '\\\\evil.example',
  '\\/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  'https:\\\\evil.example',
  'https:evil.example',
  'https:/evil.example',
  'https://',
  'https:///evil.example',
  '///evil.example',
  '////evil.example',
  '/..//evil.example',
  '/.//evil.example',
  '/%2e%2e//evil.example',
  '/a/..//evil.example',
  '/%5cevil.example',
  '/%2Fevil.example',
  '/a%0d%0aSet-Cookie:x=1',
  '/a\r\nSet-Cookie: x=1',
  '/a%00',
  '/100%',
  '/%ff',
  '/a\u2028b',
  '/a\u202eb',
  '/a\ud800b',
  'https://exa\u3000mple.com/',
  'https://exa mple.com/',
  'https://[::1',
  'https://example.com:99999/',
  'about',
  'about/us',
  './about',
  '../about',
  'www.example.com',
  'example.com:80',
  '',
  '   ',
  'x'.repeat(10_000),
  `/${'x'.repeat(10_000)}`,
  null,
  undefined,
  0,
  {},
  [],
  ['/a'],
  { toString: () => '/a' },
  Symbol('a'),
];

describe('safeHref', () => {
  it.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTP://Example.COM:80/A?b=c#d', 'http://example.com/A?b=c#d'],
    ['//example.com/a', 'https://example.com/a'],
    ['https://bücher.example/ä b', 'https://xn--bcher-kva.example/%C3%A4%20b'],
    ['  https://example.com/a  ', 'https://example.com/a'],
    ['https://wa.me/?text=a%0Ab', 'https://wa.me/?text=a%0Ab'],
    ['/', '/'],
    ['/blog/news?page=2#top', '/blog/news?page=2#top'],
    ['/a b', '/a%20b'],
    ['/über', '/%C3%BCber'],
    ['/a/../b', '/b'],
    ['/a//b', '/a//b'],
    ['/a:b', '/a:b'],
    ['/javascript:alert(1)', '/javascript:alert(1)'],
    ['#fees', '#fees'],
    ['#', '#'],
    ['#"><script>', '#%22%3E%3Cscript%3E'],
    ['?page=2', '?page=2'],
    ['?', '?'],
    ['?a=<b>', '?a=%3Cb%3E'],
    ['mailto:info@example.com', 'mailto:info@example.com'],
    [
      'MAILTO:a@example.com?subject=Hello you&body=a%0D%0Ab',
      'mailto:a@example.com?subject=Hello%20you&body=a%0D%0Ab',
    ],
    ['tel:+49 (30) 123-45', 'tel:+49(30)123-45'],
    ['tel:*100#', null],
    ['tel:javascript:alert(1)', null],
    ['mailto:', null],
    ['mailto:a@example.com?subject=x%0d%0aBcc:b@example.com', null],
    ['mailto:a@example.com%0aBcc:b@example.com', null],
    ['mailto:"><script>', null],
  ])('safeHref turns %j into %j', (address, expected) => {
    expect(safeHref(address)).toBe(expected);
  });

  it.each(hostile.map(value => [value]))('safeHref refuses %j', value => {
    expect(safeHref(value)).toBeNull();
  });
});

describe('safeRedirectTarget', () => {
  it.each([
    ['/new/**', { to: '/new/**', external: false }],
    ['/new?a=b#c', { to: '/new?a=b#c', external: false }],
    ['https://example.com/**', { to: 'https://example.com/**', external: true }],
    ['//example.com/x', { to: 'https://example.com/x', external: true }],
    ['http://example.com', { to: 'http://example.com/', external: true }],
    ['mailto:a@example.com', null],
    ['tel:1', null],
    ['#a', null],
    ['?a', null],
  ])('safeRedirectTarget turns %j into %j', (address, expected) => {
    expect(safeRedirectTarget(address)).toEqual(expected);
  });

  it.each(hostile.map(value => [value]))('safeRedirectTarget refuses %j', value => {
    expect(safeRedirectTarget(value)).toBeNull();
  });
});

describe('mediaAddress', () => {
  const { mediaAddress } = createMediaPolicy({
    contentBaseUrl: 'https://cms.example/strapi',
    contentPublicUrl: 'https://admin.example/edit',
    mediaOrigins: ['https://cdn.example', 'http://old.example:8080'],
  });

  it.each([
    ['/uploads/a.png', '/uploads/a.png'],
    ['/uploads/deep/a b.png', '/uploads/deep/a%20b.png'],
    ['/uploads//deep///a.png', '/uploads/deep/a.png'],
    ['https://cms.example/uploads//a.png', '/uploads/a.png'],
    ['/uploads/a.png?width=3#x', '/uploads/a.png'],
    ['/uploads/flags.svg?v=3#chile', '/uploads/flags.svg#chile'],
    ['https://cms.example/strapi/uploads/flags.svg#chile', '/uploads/flags.svg#chile'],
    ['/uploads/flags.svg#"><script>', '/uploads/flags.svg#%22%3E%3Cscript%3E'],
    ['uploads/a.png', '/uploads/a.png'],
    ['https://cms.example/uploads/a.png?x', '/uploads/a.png'],
    ['https://cms.example/strapi/uploads/a.png', '/uploads/a.png'],
    ['https://admin.example/edit/uploads/a.png', '/uploads/a.png'],
    ['https://admin.example/uploads/a.png', '/uploads/a.png'],
    ['https://admin.example/edit/a.png', null],
    ['https://CMS.example:443/uploads/a.png', '/uploads/a.png'],
    ['//cms.example/uploads/a.png', '/uploads/a.png'],
    ['https://cdn.example/a.png?w=1', 'https://cdn.example/a.png?w=1'],
    ['//cdn.example/a.png', 'https://cdn.example/a.png'],
    ['http://old.example:8080/a.png', 'http://old.example:8080/a.png'],
    ['/images/logo.svg#mark', '/images/logo.svg#mark'],
    ['https://cms.example/admin/a.png', null],
    ['https://cms.example/uploads/', null],
    ['http://cms.example/uploads/a.png', null],
    ['http://cdn.example/a.png', null],
    ['https://cdn.example:8443/a.png', null],
    ['https://cdn.example.evil.example/a.png', null],
    ['https://sub.cdn.example/a.png', null],
    ['//evil.example/a.png', null],
    ['/uploads/', null],
    ['/uploads', '/uploads'],
    ['/uploads/../secret', null],
    ['/uploads/..', null],
    ['/uploads/%2e%2e/secret', null],
    ['/uploads/%2e%2e%2fsecret', null],
    ['/uploads/a%2fb.png', null],
    ['/uploads/a%00.png', null],
    ['https://cms.example/uploads/../admin', null],
    ['images/a.png', null],
    ['mailto:a@example.com', null],
    ['#a', null],
    ['?a', null],
  ])('mediaAddress turns %j into %j', (address, expected) => {
    expect(mediaAddress(address)).toBe(expected);
  });

  it.each(hostile.map(value => [value]))('mediaAddress refuses %j', value => {
    expect(mediaAddress(value)).toBeNull();
  });

  it('mediaAddress accepts a backend without a path, and an invalid base address', () => {
    const plain = createMediaPolicy({ contentBaseUrl: 'http://127.0.0.1:1337', mediaOrigins: [] });
    expect(plain.mediaAddress('http://127.0.0.1:1337/uploads/a.png')).toBe('/uploads/a.png');
    const broken = createMediaPolicy({ contentBaseUrl: '', mediaOrigins: [''] });
    expect(broken.mediaAddress('/uploads/a.png')).toBe('/uploads/a.png');
    expect(broken.mediaAddress('https://cms.example/uploads/a.png')).toBeNull();
  });
});

describe('a safe address made from any input', () => {
  const pieces = [
    ...[
      '/',
      '//',
      '\\',
      '.',
      '..',
      ':',
      '@',
      '#',
      '?',
      '%2e',
      '%2f',
      '%5c',
      '%0a',
      '%',
      ' ',
      '\t',
      '\r\n',
      '\u00a0',
    ],
    ...[
      'http:',
      'https://',
      'javascript:',
      'data:',
      'mailto:',
      'tel:',
      'evil.example',
      'uploads',
      'a',
      '\u202e',
      'é',
    ],
  ];
  const address = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.array(fc.constantFrom(...pieces), { maxLength: 10 }).map(parts => parts.join('')),
    fc.anything(),
  );
  const { mediaAddress } = createMediaPolicy({
    contentBaseUrl: 'https://cms.example',
    mediaOrigins: ['https://evil.example'],
  });
  const sitePath = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/;
  const external = /^https?:\/\/[^/@\\]+\/[\x21-\x7e]*$/;

  it('any input becomes null or an address that a browser parses as written', () => {
    fc.assert(
      fc.property(address, value => {
        const href = safeHref(value);
        if (href !== null) {
          expect(href).toMatch(/^(?:https?:\/\/|mailto:|tel:|\/(?!\/)|#|\?)/);
          expect(href).toMatch(/^[\x21-\x7e]+$/);
          const read = new URL(href, 'https://site.example/page');
          if (/^[/?#]/.test(href)) expect(read.origin).toBe('https://site.example');
          expect(['https:', 'http:', 'mailto:', 'tel:']).toContain(read.protocol);
          expect(read.username + read.password).toBe('');
          expect(safeHref(href)).toBe(href);
        }
        const target = safeRedirectTarget(value);
        if (target !== null) {
          expect(target.to).toMatch(target.external ? external : sitePath);
          expect(safeRedirectTarget(target.to)).toEqual(target);
        }
        const media = mediaAddress(value);
        if (media !== null) {
          expect(media).toMatch(/^(?:\/(?!\/)|https:\/\/evil\.example\/)/);
          expect(media).not.toMatch(/\/\.\.(?:\/|$)/);
        }
      }),
      { numRuns: runs(3_000) },
    );
  });
});

describe('a slug', () => {
  it.each(['about', 'über-uns', 'a b', 'c++', '2026', 'a.b', '...', 'x;y', '100%', 'a'.repeat(200)])(
    'a slug may be %.20j',
    slug => {
      expect(safeSlug(slug)).toBe(slug);
    },
  );

  it.each(['AboutUs', 'Über-Uns', 'Ü', 'ǅ'])('a slug is returned in its canonical form: %s', slug => {
    for (const spelling of [slug, slug.normalize('NFD'), slug.toUpperCase(), ` ${slug} `])
      expect(safeSlug(spelling)).toBe(slug.toLowerCase().normalize('NFC'));
  });

  it.each([
    null,
    7,
    '',
    ' ',
    '.',
    '..',
    'a/b',
    '/',
    '\\',
    'a\\b',
    'a\nb',
    '\0',
    'a\u200bb',
    '\ud800',
    'a'.repeat(201),
  ])('a slug may not be %.20j', slug => {
    expect(safeSlug(slug)).toBeNull();
  });
});

describe('a value in a JSON-LD block', () => {
  it.each([
    'javascript:alert(1)',
    ' JaVa\tScRiPt\n:alert(1)',
    '\u0000java\u200bscript:x',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://example.com/1',
    'file:///etc/passwd',
    'view-source:https://example.com/',
  ])('a JSON-LD value with an executable address is detected: %j', text => {
    expect(isExecutableAddress(text)).toBe(true);
  });

  it.each(['https://example.com/', '/about', 'Note: hello', 'A javascript: primer', 'Data', '', null, 7, {}])(
    'a harmless JSON-LD value passes: %j',
    value => {
      expect(isExecutableAddress(value)).toBe(false);
    },
  );
});
