import { describe, expect, it } from 'vitest';
import { plainText } from '../../server/search/index/plain-text.ts';
import {
  component,
  componentOf,
  type FieldDescription,
  type FieldDescriptions,
  isMany,
  MEDIA_KINDS,
  section,
} from '../../shared/content/descriptions.ts';
import { sections } from '../../site/sections.ts';
import { compileWithLosses } from '../support/safe-rich-text.ts';

describe('the text for the search', () => {
  it.for([
    ['## Wallets\n\nA wallet\nholds money', 'Wallets · A wallet holds money'],
    ['Wallets\n---\nEach holds money.\n\nAnd pays it', 'Wallets · Each holds money. And pays it'],
    [
      '| Wallet | Limit |\n|:---|---: |\n| Verified wallet | One transfer |\n| Other | None |',
      'Wallet · Limit · Verified wallet · One transfer · Other · None',
    ],
    ['Wallet | Limit\n--- | ---\nOne | Two', 'Wallet · Limit · One · Two'],
    ['> [!NOTE]\n> A _wallet_ of snake_case and __bold__', 'A wallet of snake_case and bold'],
    ['- wallet\n- other\n1. third', 'wallet · other · third'],
    [
      '```js\nconst wallet = 1\n```\nAfter it\n\n***\n\n[1]: https://example.com',
      'const wallet = 1 · After it',
    ],
    [
      '<h2>Wallets</h2><p>One<br>two <b>th</b>ree</p><ul><li>four</li><li>five</li></ul>',
      'Wallets · One two three · four · five',
    ],
    ['<table><tr><th>Wallet</th><td>Limit</td></tr></table>', 'Wallet · Limit'],
    [
      [
        { type: 'heading', level: 2, children: [{ type: 'text', text: 'Wallets' }] },
        {
          type: 'paragraph',
          children: [
            { type: 'text', text: 'In the ' },
            { type: 'link', url: '/a', children: [{ type: 'text', text: 'middle' }] },
            { type: 'text', text: ', end' },
          ],
        },
        { __component: 'body.quote', id: 1, quote: 'Said', author: 'Ada' },
      ],
      'Wallets · In the middle, end · Said · Ada',
    ],
  ] as const)('the search text separates the parts of a text: %j', ([body, text]) => {
    expect(plainText(body).text).toBe(text);
  });
});

/** @returns values for all fields of a component. Each text is the name of its field, in capitals. */
const valuesFor = (fields: FieldDescriptions): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, valueFor(name, field)]));

function valueFor(name: string, field: FieldDescription): unknown {
  const inner = componentOf(field);
  if (inner) return isMany(field) ? [valuesFor(inner.fields)] : valuesFor(inner.fields);
  if (MEDIA_KINDS.some(kind => kind === field.kind)) {
    const file = {
      url: '/uploads/a.png',
      mime: 'image/png',
      name: `FILE-${name}`,
      alternativeText: `ALT-${name}`,
    };
    return isMany(field) ? [file] : file;
  }
  if (field.kind === 'address') return 'https://vimeo.com/1';
  return 'of' in field && field.of ? field.of[0] : name.toUpperCase();
}

/** @returns the words in the texts and alternative texts of a tree. */
const wordsIn = (tree: unknown) =>
  [...JSON.stringify(tree).matchAll(/[A-Z-]{4,}[a-z]*/g)].map(([word]) => word);

describe('the text of a section', () => {
  it.for(sections)(
    'the search text of a section has all texts that the page shows: $name',
    ({ name, fields }) => {
      const source = { __component: `site.${name}`, id: 1, ...valuesFor(fields) };
      const shown = wordsIn(compileWithLosses([source]).tree);
      const { text } = plainText([source]);
      expect(shown.length).toBeGreaterThan(0);
      for (const word of shown) expect(text).toContain(word);
      expect(text).not.toMatch(/FILE-|vimeo/);
      for (const field of Object.values(fields))
        if ('of' in field) for (const choice of field.of ?? []) expect(text).not.toContain(choice);
    },
  );

  it('the search text of a section has the texts of its list of components', () => {
    const fact = component('fact', {
      label: 'Fact',
      noun: 'a fact',
      fields: {
        figure: { kind: 'text', label: 'Figure' },
        href: { kind: 'address', label: 'Address' },
        body: { kind: 'rich-text', label: 'Text' },
      },
    });
    const facts = section('facts', {
      label: 'Facts',
      noun: 'facts',
      fields: { items: { kind: 'list', component: fact, label: 'Facts', orElse: ['rows'] } },
      read: () => [],
    });
    const item = { id: 1, figure: '12%', href: 'of fees', body: '**Less** than before', kind: 'of no field' };
    for (const key of ['items', 'rows'])
      expect(plainText([{ __component: 'site.facts-section', [key]: [item] }], () => facts).text).toBe(
        '12% · Less than before',
      );
  });

  it('the search text of an unknown component equals what the page shows as paragraphs', () => {
    const source = { __component: 'shared.chart', headline: 'Growth', unit: 'EUR', source: 'Of the bank' };
    const { tree } = compileWithLosses([source]);
    expect(tree).toEqual([
      ['p', null, ['Growth']],
      ['p', null, ['Of the bank']],
    ]);
    expect(plainText([source]).text).toBe('Growth · Of the bank');
  });
});

it('plainText leaves out a text that only code reads, such as the addressee of a form', () => {
  const form = { __component: 'site.form-section', title: 'A visit', addressee: 'office@example.com' };
  expect(plainText([form]).text).toBe('A visit');
});
