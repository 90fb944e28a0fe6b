import { describe, expect, it } from 'vitest';
import { decodeRows } from '../../server/decode/decode-fields.ts';
import { decodeSettings, decodeSocial } from '../../server/decode/decode-settings.ts';
import { entryOf } from '../../server/wire/wire.ts';
import { CAPTURE_SETS, comparable, startDecoding } from '../support/decoding.ts';
import { type CaptureSet, capture } from '../support/fake-backend.ts';

function settingsFrom(value: unknown) {
  const entry = entryOf(value);
  if (!entry) expect.fail('no entry');
  return decodeSettings(entry, startDecoding().context);
}

const recorded = (set: CaptureSet) => settingsFrom(capture(set, 'settings.json'));
const link = (title: string, href: string) => ({ title, href, icon: null });

describe.each(CAPTURE_SETS)('the recorded settings of %s', set => {
  it('have the links of the header with one level below them', () => {
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

  // In Strapi 4 this field is JSON in a string.
  it('have the links of the footer', () => {
    expect(recorded(set).footerLinks).toEqual([
      { ...link('About', '/about'), children: [] },
      { ...link('Terms', '/terms'), children: [] },
      { ...link('Status', 'https://example.com/status'), children: [] },
    ]);
  });

  it("have the addresses of the site's own stylesheets and scripts", () => {
    const { customCss, scripts } = recorded(set);
    expect(comparable([customCss, scripts])).toEqual([['/uploads/custom.css'], ['/uploads/widget.js']]);
  });

  it('keep all attributes of the record', () => {
    const { attributes } = recorded(set);
    expect(Object.keys(attributes)).toEqual(
      expect.arrayContaining(['headerLinks', 'footerLinks', 'socials', 'customCss', 'scripts', 'updatedAt']),
    );
  });

  it('have the socials, or none where their JSON is broken', () => {
    const expected = [
      { title: 'Telegram', link: 'https://t.me/example', icon: '/uploads/telegram.svg' },
      { title: 'X', link: 'https://x.com/example', icon: null },
    ];
    expect(recorded(set).socials).toEqual(set === 'v4' ? [] : expected);
  });

  it('come beside the socials, except for a social without a link', () => {
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
  ])('link lists are empty lists when they are %s', (_, value) => {
    const settings = settingsFrom({ id: 1, headerLinks: value, footerLinks: value, socials: value });
    expect(settings).toMatchObject({ headerLinks: [], footerLinks: [], socials: [] });
  });

  it('link lists leave out a forbidden link and keep the others', () => {
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

  it('link lists give a title without an address the first address below it', () => {
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
  ])('stylesheets and scripts are an empty list when they are %s', (_, value) => {
    const { customCss, scripts } = settingsFrom({ id: 1, customCss: value, scripts: value });
    expect([customCss, scripts]).toEqual([[], []]);
  });

  it('stylesheets and scripts keep their order and have no forbidden addresses', () => {
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
