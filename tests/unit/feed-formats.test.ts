import { describe, expect, it } from 'vitest';
import { articleHtml } from '../../server/endpoints/feeds/article-html.ts';
import type { FeedDocument, FeedItem } from '../../server/endpoints/feeds/write-feed.ts';
import { writeAtom, writeJsonFeed, writeRss } from '../../server/endpoints/feeds/write-feed.ts';
import { brokenAtomRules, brokenJsonFeedRules, brokenRssRules, CONTENT } from '../support/feed-rules.ts';
import { childrenNamed, childText, parseXml } from '../support/parse-xml.ts';

const SELF = 'https://www.example.com/blog/feed';
const HOSTILE = 'Fish & <b>chips</b> "\u0007" ]]> \ud800';
const CLEAN = 'Fish & <b>chips</b> "" ]]> ';

const ITEM: FeedItem = {
  address: 'https://www.example.com/blog/guides/a',
  title: 'A',
  summary: 'About a.',
  html: '<p>Text</p>',
  published: '2026-01-02T03:04:05.000Z',
  updated: '2026-01-03T03:04:05.000Z',
  author: { name: 'Jane Roe', address: null },
  topics: ['Guides'],
  picture: { address: 'https://www.example.com/uploads/a.png', type: 'image/png', bytes: 1_230 },
};
const FEED: FeedDocument = {
  ...{ title: 'Blog', description: 'All.', page: 'https://www.example.com/blog', self: SELF },
  ...{ siteName: 'Example', locale: 'en-GB', updated: ITEM.updated, items: [ITEM] },
};
const EMPTY = { ...FEED, description: '', updated: null, items: [] };
const BARE: FeedDocument = {
  ...FEED,
  items: [{ ...ITEM, summary: null, html: null, author: null, picture: null, topics: [] }],
};

const rss = (text: string) =>
  brokenRssRules({
    address: SELF,
    contentType: 'application/rss+xml; charset=utf-8',
    root: parseXml(text),
  });
const atom = (text: string) =>
  brokenAtomRules({
    address: SELF,
    contentType: 'application/atom+xml; charset=utf-8',
    root: parseXml(text),
  });
const json = (text: string) => brokenJsonFeedRules(SELF, 'application/feed+json', JSON.parse(text));

describe.each([
  ['with all that it may have', FEED],
  ['without items', EMPTY],
  ['of items without a text', BARE],
  ['with hostile texts', { ...FEED, title: HOSTILE, items: [{ ...ITEM, title: HOSTILE }] }],
] as const)('a feed %s', (_, feed) => {
  it('a feed is valid in each format', () => {
    expect(rss(writeRss(feed))).toEqual([]);
    expect(atom(writeAtom(feed))).toEqual([]);
    expect(json(writeJsonFeed(feed))).toEqual([]);
  });
});

it('a hostile title has the same text in each feed, without the characters that XML forbids', () => {
  const root = parseXml(writeRss({ ...FEED, items: [{ ...ITEM, title: HOSTILE, html: HOSTILE }] }));
  const [item] = childrenNamed(root, 'channel').flatMap(channel => childrenNamed(channel, 'item'));
  expect(item && childText(item, 'title')).toBe(CLEAN);
  expect(item && childText(item, 'encoded', CONTENT)).toBe(CLEAN);
});

describe('the feed checks of this test', () => {
  const RSS = writeRss({ ...FEED, items: [ITEM, { ...ITEM, address: `${ITEM.address}b` }] });
  const NEXT = `<guid isPermaLink="true">${ITEM.address}b</guid>`;
  it.each([
    ['InvalidRSSVersion', 'version="2.0"', 'version="0.9"'],
    ['MissingElement', '<description>All.</description>', ''],
    ['DuplicateElement', '<language>', '<language>en</language><title>x</title><language>'],
    ['UndefinedElement', '<language>', '<languages/><language>'],
    ['InvalidLanguage', 'en-GB', 'english please'],
    ['InvalidFullLink', `<link>${ITEM.address}</link>`, '<link>/blog/guides/a</link>'],
    ['InvalidRFC2822Date', 'Fri, 02 Jan 2026', 'Fri, 2 January 2026'],
    ['ImplausibleDate', '02 Jan 2026', '02 Jan 1926'],
    ['MissingGuid', NEXT, ''],
    ['InvalidHttpGUID', NEXT, '<guid>b</guid>'],
    ['DuplicateEntries', NEXT, `<guid>${ITEM.address}</guid>`],
    ['MissingAtomSelfLink', 'rel="self"', 'rel="related"'],
    ['SelfDoesntMatchLocation', `href="${SELF}"`, 'href="https://www.example.com/other"'],
    ['InvalidContact', '<category>', '<author>Jane Roe</author><category>'],
    [
      'DuplicateEnclosure',
      '<enclosure',
      '<enclosure url="https://a.example/" length="1" type="a/b"/><enclosure',
    ],
    ['InvalidNonNegativeInteger', 'length="1230"', 'length="1.2 kB"'],
    ['InvalidMIMEType', 'type="image/png"', 'type="png"'],
    ['MissingAttribute', `url="${ITEM.picture?.address}"`, 'url=""'],
    ['ContainsRelRef', '&lt;p&gt;Text', '&lt;p&gt;&lt;a href=&quot;/a&quot;&gt;a&lt;/a&gt;'],
    ['SecurityRisk', '&lt;p&gt;Text', '&lt;p&gt;&lt;input&gt;Text'],
    ['DangerousStyleAttr', '&lt;p&gt;Text', '&lt;p style=&quot;color:red&quot;&gt;Text'],
    ['NotHtml', '&lt;p&gt;Text', '&lt;p&gt;&lt;/i&gt;Text'],
  ])('the RSS check finds a break of the rule %s', (rule, from, to) => {
    expect(rss(RSS)).toEqual([]);
    expect(RSS).toContain(from);
    expect(rss(RSS.replace(from, () => to)).join()).toContain(rule);
  });

  const ATOM_FEED = writeAtom(FEED);
  it.each([
    ['ObsoleteNamespace', 'http://www.w3.org/2005/Atom', 'http://purl.org/atom/ns#'],
    ['MissingElement', `<id>${ITEM.address}</id>`, ''],
    ['InvalidRFC3339Date', ITEM.updated, '3 January 2026'],
    ['MissingSelf', 'rel="self"', 'rel="related"'],
    [
      'MissingAlternate',
      'rel="alternate" type="text/html" href="https://www.example.com/blog/guides/a"',
      'rel="via" type="text/html" href="https://www.example.com/"',
    ],
    ['InvalidMIMEType', 'type="html"', 'type="markdown"'],
    ['MissingElement: name of author', '<name>Jane Roe</name>', ''],
    ['InvalidURIAttribute', '<uri>https://www.example.com/', '<uri>example'],
    ['ContainsRelRef', '&lt;p&gt;Text', '&lt;img src=&quot;a.png&quot;&gt;&lt;p&gt;Text'],
  ])('the Atom check finds a break of the rule %s', (rule, from, to) => {
    expect(atom(ATOM_FEED)).toEqual([]);
    expect(ATOM_FEED).toContain(from);
    expect(atom(ATOM_FEED.replace(from, () => to)).join()).toContain(rule);
  });

  const JSON_FEED = writeJsonFeed(FEED);
  it.each([
    ['version', 'version/1.1', 'version/1'],
    ['title', '"title":"Blog",', ''],
    ['feed_url', `"feed_url":"${SELF}"`, '"feed_url":"https://a.example/"'],
    ['items.id', `"id":"${ITEM.address}",`, ''],
    ['items.content_html', '"content_html"', '"content"'],
    ['items.date_published', ITEM.published, '2026-01-02'],
    ['items.author is deprecated', '"tags"', '"author":{"name":"x"},"tags"'],
    ['items.tags', '["Guides"]', '"Guides"'],
    ['attachments.mime_type', '"mime_type":"image/png"', '"mime_type":"png"'],
    ['unknown member', '"language"', '"lang":"en","language"'],
    ['authors is empty', '{"name":"Jane Roe"}', '{}'],
  ])('the JSON Feed check finds a break of the rule %s', (rule, from, to) => {
    expect(json(JSON_FEED)).toEqual([]);
    expect(JSON_FEED).toContain(from);
    expect(json(JSON_FEED.replace(from, () => to)).join()).toContain(rule);
  });
});

describe('the text of an article in a feed', () => {
  const PAGE = 'https://www.example.com/blog/guides/a';
  it.each([
    ['a link of the site', [['a', { href: '/b' }, ['b']]], '<a href="https://www.example.com/b">b</a>'],
    ['a link on the page', [['a', { href: '#c' }, ['c']]], `<a href="${PAGE}#c">c</a>`],
    [
      'a picture',
      [['img', { src: '/uploads/a.png', alt: 'A "b"', width: 10, scaled: true }, []]],
      '<img src="https://www.example.com/uploads/a.png" alt="A &quot;b&quot;" width="10">',
    ],
    ['a heading', [['h2', { id: 'x' }, ['X']]], '<h2>X</h2>'],
    [
      'a box of a list',
      [['li', null, [['input', { type: 'checkbox', checked: true }, []], 'done']]],
      '<li>☑ done</li>',
    ],
    [
      'a video of a provider',
      [
        [
          'oembed',
          { href: 'https://films.example/1', 'data-frame': 'x', 'data-provider': 'Films' },
          ['A film'],
        ],
      ],
      '<p><a href="https://films.example/1">A film</a></p>',
    ],
    [
      'a video of the site',
      [['video', { src: '/uploads/a.mp4' }, [['track', { src: '/uploads/a.vtt' }, []]]]],
      '<video controls="" src="https://www.example.com/uploads/a.mp4"></video>',
    ],
    ['an unknown element', [['blink', { onclick: 'x' }, ['a < b']]], 'a &lt; b'],
    ['a cell', [['td', { colSpan: 2, align: 'right' }, ['1']]], '<td colspan="2">1</td>'],
  ] as const)('the text of an article in a feed is plain HTML for %s', (_, tree, html) => {
    expect(articleHtml(tree, PAGE)).toBe(html);
  });
});
