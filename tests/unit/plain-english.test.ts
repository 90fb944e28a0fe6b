import { describe, expect, it } from 'vitest';
import { proseSources, readComments, wideComments } from '../support/read-comments.ts';
import {
  commentsIn,
  messagesOfLog,
  type Prose,
  paragraphsOf,
  paragraphsOfDocuments,
  sentencesOf,
  titlesOfTests,
  wordsIn,
} from '../support/read-prose.ts';

const HOUSE = ['server', 'client', 'shared', 'build', 'site', 'deploy', 'tools'];
const MAX_COLUMNS = 110;
/** Most words that a sentence should have. Longer sentences exist, but their number may only fall. */
const WANTED_WORDS = 20;

/** Limits for each kind of text: most words of a sentence, and most sentences above WANTED_WORDS. */
const KINDS = [
  { kind: 'comments', texts: commentsIn(HOUSE), mostWords: 35, mostLong: 20 },
  { kind: 'comments of tests', texts: commentsIn(['tests']), mostWords: 35, mostLong: 4 },
  { kind: 'titles of tests', texts: titlesOfTests(), mostWords: 25, mostLong: 0 },
  { kind: 'log messages', texts: messagesOfLog('server'), mostWords: 20, mostLong: 0 },
  { kind: 'documents', texts: paragraphsOfDocuments(), mostWords: 95, mostLong: 420 },
];

/** Words to avoid, each with the term to use. A document may quote them in `code`. */
const TERMS: readonly (readonly [avoid: RegExp, instead: string])[] = [
  [/\bcaches? in front\b/, 'CDN'],
  [/\bkept absences?\b/, 'negative entry'],
  [/\bnothing but\b/, 'only'],
  [/\bby then\b/, 'say when'],
  [/\banother such\b/, 'name the thing'],
  [/\bwhoever\b/, 'name the person or the program'],
  [/\b(?:is|are|was|were) (?:then )?believed\b/, 'accepted'],
  [/\bwanted back\b/, 'soft delete'],
  [/\bkept apart\b/, 'stored separately'],
  [/\btells? apart\b/, 'distinguish'],
];

const at = ({ file, line }: Prose) => `${file}:${line}`;

function longSentences(texts: readonly Prose[], most: number) {
  return texts
    .flatMap(place => sentencesOf(place.text).map(text => ({ place, text, words: wordsIn(text) })))
    .filter(({ words }) => words > most)
    .sort((one, other) => other.words - one.words);
}

function termsIn(text: string): string[] {
  const prose = text.replaceAll(/`[^`]*`/g, '');
  return TERMS.flatMap(([avoid, instead]) => {
    const [found] = new RegExp(avoid, 'i').exec(prose) ?? [];
    return found ? [`"${found}": ${instead}`] : [];
  });
}

describe.each(KINDS)('$kind', ({ texts, mostWords, mostLong }) => {
  it(`a sentence has at most ${mostWords} words`, () => {
    const long = longSentences(texts, mostWords);
    expect(long.map(({ place, text, words }) => `${at(place)} ${words} words: ${text}`)).toEqual([]);
  });

  it(`at most ${mostLong} sentences have more than ${WANTED_WORDS} words`, () => {
    const long = longSentences(texts, WANTED_WORDS);
    expect(
      long.length,
      `shorten your own, or one of these: ${long.slice(0, 5).map(({ place }) => at(place))}`,
    ).toBeLessThanOrEqual(mostLong);
  });

  it('texts use the field’s terms instead of the project’s words', () => {
    const found = texts.flatMap(text => termsIn(text.text).map(finding => `${at(text)} ${finding}`));
    expect(found).toEqual([]);
  });
});

it(`comments have at most ${MAX_COLUMNS} columns`, () => {
  const wide = proseSources([...HOUSE, 'tests']).flatMap(file => wideComments(file, MAX_COLUMNS));
  expect(wide).toEqual([]);
});

describe('the check of words', () => {
  it('a word to avoid is found in any case, but not in code', () => {
    expect(termsIn('Caches in front keep it.')).toEqual(['"Caches in front": CDN']);
    expect(termsIn('The header `caches in front` stays.')).toEqual([]);
  });

  it('a sentence ends at a full stop, a list item, a tag and a table cell', () => {
    expect(sentencesOf('One `a. B`. Two - three - four @returns five')).toEqual([
      'One code.',
      'Two',
      'three',
      'four',
      '@returns five',
    ]);
    expect(longSentences([{ file: 'a', line: 1, text: `${'word '.repeat(21)}. Short.` }], 20)).toHaveLength(
      1,
    );
  });

  it('a document’s paragraphs are joined, and its code is left out', () => {
    const text = '# Title\n\nOne\ntwo.\n\n```sh\nnpm ci\n```\n| a | b |\n|---|---|\n- item\n  goes on\n';
    expect(paragraphsOf('a.md', text).map(({ line, text }) => [line, text])).toEqual([
      [1, 'Title'],
      [3, 'One two.'],
      [9, 'a'],
      [9, 'b'],
      [11, 'item goes on'],
    ]);
  });

  it('a wide comment is reported by its line, unless it is a directive or an address', () => {
    const wide = 'x'.repeat(MAX_COLUMNS - 2);
    const source = `// ${wide} y\nconst a = 1;\n// biome-ignore lint: ${wide}\n// https://${wide}\n`;
    expect(wideComments('a.ts', MAX_COLUMNS, source)).toEqual([`a.ts:1 has ${MAX_COLUMNS + 3} columns`]);
  });
});

describe('readComments', () => {
  it('readComments joins neighbouring lines, strips the marks and leaves out directives', () => {
    const source = [
      '// One',
      '// two.',
      'a(); // Three.',
      '// Four.',
      '',
      '// Five.',
      '/** Six\n * seven. */',
      '// biome-ignore lint: why',
    ].join('\n');
    expect(readComments('a.ts', source).map(({ line, text }) => [line, text])).toEqual([
      [1, 'One two.'],
      [3, 'Three.'],
      [4, 'Four.'],
      [6, 'Five.'],
      [7, 'Six seven.'],
    ]);
    expect(readComments('a.css', 'a{} /* One\n * two */').map(({ text }) => text)).toEqual(['One two']);
  });
});
