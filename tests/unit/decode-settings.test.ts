import { describe, expect, it } from 'vitest';
import { decodeSettings, decodeSocial } from '../../server/decode/decode-settings.ts';
import { entryOf } from '../../server/wire/wire.ts';
import { CAPTURE_SETS, comparable, decodeRows, startDecoding } from '../support/decoding.ts';
import { type CaptureSet, capture } from '../support/fake-backend.ts';

function settingsFrom(value: unknown) {
  const entry = entryOf(value);
  if (!entry) expect.fail('no entry');
  return decodeSettings(entry, startDecoding().context);
}

const recorded = (set: CaptureSet) => settingsFrom(capture(set, 'settings.json'));
const link = (title: string, href: string) => ({ title, href, icon: null });

describe.each(CAPTURE_SETS)('the recorded settings of %s', set => {
  it('recorded settings have the header links with one level of sub-links', () => {
    expect(recorded(set).headerLinks).toEqual([
      { ...link('Blog', '/blog'), children: [] },
      {
        ...link('Solutions', '/business-solutions/payouts'),
        children: [
          link('Mass payouts', '/business-solutions/payouts'),
          link('Payment links', '/business-solutions/payment-links'),
        ],
      },
    ]);
  });

  // Strapi 4 sends this field as JSON in a string.
  it('recorded settings have the footer links', () => {
    expect(recorded(set).footerLinks).toEqual([
      { ...link('About', '/about'), children: [] },
      { ...link('Terms', '/terms'), children: [] },
      { ...link('Status', 'https://example.com/status'), children: [] },
    ]);
  });

  it('recorded settings have the addresses of custom stylesheets and scripts', () => {
    const { customCss, scripts } = recorded(set);
    expect(comparable([customCss, scripts])).toEqual([['/uploads/custom.css'], ['/uploads/widget.js']]);
  });

  it('recorded settings also keep the raw attributes of the response', () => {
    const { attributes } = recorded(set);
    expect(Object.keys(attributes)).toEqual(
      expect.arrayContaining(['headerLinks', 'footerLinks', 'socials', 'customCss', 'scripts', 'updatedAt']),
    );
  });

  it('recorded settings have the social links, or none where their JSON is broken', () => {
    const expected = [
      { title: 'Telegram', link: 'https://t.me/example', icon: '/uploads/telegram.svg' },
      { title: 'X', link: 'https://x.com/example', icon: null },
    ];
    expect(recorded(set).socials).toEqual(set === 'v4' ? [] : expected);
  });

  it('a recorded social network without a link is left out and reported', () => {
    const { context, problems } = startDecoding();
    const body = capture(set, 'socials.json');
    expect(comparable(decodeRows('socials', body, decodeSocial, context))).toEqual([
      { id: 'ID', link: 'https://t.me/example', icon: '/uploads/icon.svg' },
      { id: 'ID', link: 'https://x.com/example', icon: '/uploads/icon.png' },
    ]);
    const id = set === 'v4' ? '3' : 'wp9sn74ykuxojn4bn0cuih6b';
    expect(problems).toEqual([
      { kind: 'row-left-out', type: 'socials', id, field: 'link', reason: 'a social needs a link' },
    ]);
  });
});

describe('link lists', () => {
  it.each([
    ['absent', undefined],
    ['null', null],
    ['broken JSON text', '[{"title":"Blog","hr'],
    ['an empty text', ''],
    ['a number', 5],
    ['an object', { title: 'Blog', href: '/blog' }],
    ['a list of no objects', ['/blog', 1, null, ['x']]],
    ['text that is no JSON', 'Blog'],
  ])('link lists become empty lists when they are %s', (_, value) => {
    const settings = settingsFrom({ id: 1, headerLinks: value, footerLinks: value, socials: value });
    expect(settings).toMatchObject({ headerLinks: [], footerLinks: [], socials: [] });
  });

  it('a link list omits links without a title or an allowed address, and keeps the others', () => {
    const headerLinks = [
      { title: 'Bad', href: 'javascript:alert(1)' },
      { title: '', href: '/blog' },
      { href: '/blog' },
      { title: 'No address' },
      null,
      { title: 'Mail', href: 'mailto:office@example.test', icon: '/uploads/mail.svg', unknown: 1 },
    ];
    expect(settingsFrom({ id: 1, headerLinks }).headerLinks).toEqual([
      {
        title: 'Mail',
        href: 'mailto:office@example.test',
        icon: '/uploads/mail.svg',
        children: [],
      },
    ]);
  });

  it('a header link without an address gets the address of its first sub-link', () => {
    const headerLinks = [
      {
        title: 'More',
        children: [
          { title: 'A', href: '/a' },
          { title: 'B', href: '/b' },
        ],
      },
      { title: 'Nothing below', children: [{ title: 'A', href: 'vbscript:x' }] },
    ];
    expect(settingsFrom({ id: 1, headerLinks }).headerLinks).toEqual([
      { ...link('More', '/a'), children: [link('A', '/a'), link('B', '/b')] },
    ]);
  });
});

describe('stylesheets and scripts', () => {
  it.each([
    ['flat and empty', []],
    ['wrapped and empty', { data: [] }],
    ['wrapped and null', { data: null }],
    ['null', null],
    ['absent', undefined],
    ['text', 'custom.css'],
  ])('the lists of stylesheets and scripts are empty when they are %s', (_, value) => {
    const { customCss, scripts } = settingsFrom({ id: 1, customCss: value, scripts: value });
    expect([customCss, scripts]).toEqual([[], []]);
  });

  it('stylesheets and scripts with an allowed address keep their order, and others are left out', () => {
    const urls = [
      '/uploads/b.css',
      'https://elsewhere.example/x.css',
      'https://media.example/a.css',
      'https://cms.example/uploads/c.css',
      null,
    ];
    const customCss = { data: urls.map((url, index) => ({ id: index + 1, attributes: { url } })) };
    expect(settingsFrom({ id: 1, customCss }).customCss).toEqual([
      '/uploads/b.css',
      'https://media.example/a.css',
      '/uploads/c.css',
    ]);
  });
});
