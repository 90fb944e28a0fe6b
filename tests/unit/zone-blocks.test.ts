import { describe, expect, it } from 'vitest';
import { entityDecoder } from '../../server/decode/decode-entity.ts';
import { withSections } from '../../server/rich-text/sources/with-sections.ts';
import { plainText } from '../../server/search/index/plain-text.ts';
import { contentTypes } from '../../shared/content/content-types.ts';
import { decoded as decode, startDecoding } from '../support/decoding.ts';

const block = (name: string, values: object) => ({ __component: `site.${name}-section`, id: 1, ...values });
const TEXT = block('text', { body: 'Between' });
const STEPS = block('steps', { title: 'Steps', items: [{ id: 2, title: 'First', text: null }] });

const decodePage = entityDecoder(contentTypes.page);
const decodeCategory = entityDecoder(contentTypes.category);

/** Decodes a page with these sections. @returns its text, its parts and the reported problems. */
function pageWith(sections: unknown) {
  const decoding = startDecoding();
  const row = { id: 1, title: 'Page', slug: 'page', body: 'Before', sections };
  const { body, sections: parts } = decode(decodePage, row, decoding);
  return { decoded: { body, sections: parts }, problems: decoding.problems };
}

describe('a dynamic zone with blocks', () => {
  it('sections before the first block continue the text, and later ones stand between the blocks', () => {
    const { decoded, problems } = pageWith([
      TEXT,
      STEPS,
      TEXT,
      TEXT,
      block('partners', { items: [{ name: 'A' }] }),
    ]);
    expect(decoded).toEqual({
      body: [
        ['p', null, ['Before']],
        ['p', null, ['Between']],
      ],
      sections: [
        {
          block: 'steps',
          id: 'steps',
          data: { title: 'Steps', text: null, items: [{ title: 'First', text: null }] },
        },
        {
          text: [
            ['p', null, ['Between']],
            ['p', null, ['Between']],
          ],
        },
        {
          block: 'partners',
          id: 'partners',
          data: { title: null, text: null, items: [{ name: 'A', logo: null, href: null }] },
        },
      ],
    });
    expect(problems).toEqual([]);
  });

  it('a dynamic zone without blocks becomes part of the page’s text', () => {
    const { decoded } = pageWith([TEXT, { __component: 'shared.steps', title: 'Of another project' }]);
    expect(decoded).toMatchObject({ sections: [] });
    expect(JSON.stringify(decoded)).toContain('Of another project');
    expect(withSections('Text', [STEPS])).toBe('Text');
  });

  it('a content type without a text also shows the sections before the first block', () => {
    const { sections } = decode(decodeCategory, {
      id: 1,
      name: 'News',
      slug: 'news',
      sections: [TEXT, STEPS],
    });
    expect(sections).toMatchObject([{ text: [['p', null, ['Between']]] }, { block: 'steps' }]);
  });

  it('a block may occur twice, but the contact form only once', () => {
    const form = block('contacts', { title: 'Write' });
    const { decoded, problems } = pageWith([STEPS, form, STEPS, form]);
    expect(decoded).toMatchObject({
      sections: [{ block: 'steps' }, { block: 'contacts' }, { block: 'steps' }],
    });
    expect(problems).toMatchObject([{ kind: 'value-left-out', field: 'sections[3]' }]);
  });

  it('each value of a block that is not shown is reported with its place', () => {
    const items = [{ name: 'Ada', picture: null }, { position: 'Nameless' }];
    const { decoded, problems } = pageWith([block('people', { titel: 'Typo', items })]);
    expect(decoded).toMatchObject({ sections: [{ data: { items: [{ name: 'Ada' }] } }] });
    expect(problems.map(({ field, reason }) => `${field}: ${reason}`)).toEqual([
      expect.stringMatching(/^sections\[0\]: 'titel': not shown/),
      "sections[0].items[1]: 'Nameless' is not shown: a person needs a name",
    ]);
  });

  it('a block without the values that it needs is left out and reported', () => {
    const { decoded, problems } = pageWith([block('steps', { title: 'No steps', items: [] })]);
    expect(decoded).toMatchObject({ sections: [] });
    expect(problems).toMatchObject([
      { field: 'sections[0]', reason: "'No steps' is not shown: a block of steps needs a text with a title" },
    ]);
  });

  it('the search finds the texts of blocks, and no addresses', () => {
    const { text } = plainText([block('people', { title: 'Team', items: [{ name: 'Ada', href: '/ada' }] })]);
    expect(text).toContain('Team');
    expect(text).toContain('Ada');
    expect(text).not.toContain('/ada');
  });
});
