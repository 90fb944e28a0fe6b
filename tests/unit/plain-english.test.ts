import { describe, expect, it } from 'vitest';
import { proseSources, readComments } from '../support/read-comments.ts';
import { readTests, testSources } from '../support/read-tests.ts';

/**
 * Openings without a subject. A comment or a title begins with the thing that it is about, or with a verb: a reader who
 * sees "What was begun before …" or "Whoever has gone …" has to read on to learn what the sentence is about.
 */
const FORBIDDEN: readonly (readonly [opening: string, instead: string])[] = [
  ['what', 'name the thing'],
  ['whatever', 'name the thing'],
  ['who', 'name the person or the program'],
  ['whoever', 'name the person or the program'],
  ['whose', 'name the thing first'],
  ['whom', 'name the person or the program'],
  ['which', 'name the thing first'],
  ['that', 'name the thing; state the claim as a sentence of its own'],
  ['those', 'name the things'],
  ['these', 'name the things'],
  ['this', 'name the thing'],
  ['it', 'name the thing'],
  ['its', 'name the thing'],
  ['they', 'name the things'],
  ['them', 'name the things'],
  ['their', 'name the things'],
  ['nobody', 'say what does not happen'],
  ['somebody', 'name the person or the program'],
  ['of those', 'name the things'],
  ['of them', 'name the things'],
  ['of these', 'name the things'],
  ['of a', 'name the thing that is said of it'],
  ['of an', 'name the thing that is said of it'],
  ['of what', 'name the thing'],
  ['none of', 'name the things'],
  ['such', 'name the thing'],
  ['the same', 'say what is equal to what'],
  ['so is', 'name the thing'],
  ['so are', 'name the thing'],
  ['so does', 'name the thing'],
  ['nor', 'name the thing'],
];
/** A title that continues the one before it has no subject either. */
const FORBIDDEN_IN_TITLES: typeof FORBIDDEN = [['and', 'a title stands alone']];

function patternOf(openings: typeof FORBIDDEN): RegExp {
  return new RegExp(`^(?:${openings.map(([opening]) => opening).join('|')})(?![\\w’'-])`, 'i');
}

const INSTEAD = new Map([...FORBIDDEN, ...FORBIDDEN_IN_TITLES]);
const IN_COMMENTS = patternOf(FORBIDDEN);
const IN_TITLES = patternOf([...FORBIDDEN, ...FORBIDDEN_IN_TITLES]);

function findingIn(text: string, pattern = IN_COMMENTS): string | null {
  const [found] = pattern.exec(text) ?? [];
  if (found === undefined) return null;
  return `"${text.slice(0, 60)}" begins with "${found}": ${INSTEAD.get(found.toLowerCase())}`;
}

function findingsInComments(file: string): string[] {
  return readComments(file).flatMap(({ line, text }) => {
    const finding = findingIn(text);
    return finding ? [`${file}:${line} ${finding}`] : [];
  });
}

function findingsInTitles(file: string): string[] {
  return readTests(file).tests.flatMap(({ line, title }) => {
    const finding = title === null ? null : findingIn(title, IN_TITLES);
    return finding ? [`${file}:${line} ${finding}`] : [];
  });
}

describe('plain English', () => {
  it('opens no comment and no test title without naming its subject', () => {
    const findings = [
      ...proseSources(['server', 'client', 'shared', 'build', 'tests']).flatMap(findingsInComments),
      ...testSources().flatMap(findingsInTitles),
    ];
    expect(findings).toEqual([]);
  });

  it.each([
    ['What was begun before a purge is no answer.', 'What'],
    ['Of those that wait, the first is sent.', 'Of those'],
    ['it is cached', 'it'],
    ['The same for a text.', 'The same'],
  ])('objects to "%s"', (text, opening) => {
    expect(findingIn(text)).toContain(`begins with "${opening}"`);
  });

  it.each([
    ['Items are rendered once.'],
    ['`it.each` takes a table.'],
    ['Thatched roofs.'],
    ['@returns what the check returned'],
  ])('accepts "%s"', text => {
    expect(findingIn(text)).toBeNull();
  });
});

describe('readComments', () => {
  it('joins neighbouring lines, strips the marks and leaves out directives', () => {
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
