import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../server/config.ts';
import { sourcesOf } from '../support/import-graph.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const exists = (file: string) => existsSync(path.join(root, file));

/**
 * The documents for people, without the decisions, which describe the state of their date, and `licences.md`, which
 * is generated.
 */
const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'content/README.md'],
  ...readdirSync(path.join(root, 'docs'))
    .filter(name => name.endsWith('.md') && name !== 'licences.md')
    .map(name => `docs/${name}`),
];

/** The files that the how-tos of CONTRIBUTING.md make. */
const EXAMPLES = /\/(?:promise-block|case-study-page)\./;

const sources = sourcesOf(['server', 'client', 'shared', 'build']).map(read).join('\n');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** The first group of each match in a text. */
const found = (text: string, expression: RegExp) =>
  Array.from(text.matchAll(expression), ([, group = '']) => group);
/** The files of tests that a text names, such as `unit/config`. */
const testsIn = (text: string) =>
  found(text, /\b((?:unit|integration|browser|build)\/[a-z\d-]+)(?![\w./*-])/g)
    .map(name => `tests/${name}.test.ts`)
    .filter(file => exists(file) || !file.startsWith('tests/build/') || !isBuildFile(file));

/** `build/fonts` may stand for a source as well as for a test. */
function isBuildFile(test: string): boolean {
  const name = test.replace(/^tests\/(.*)\.test\.ts$/, '$1');
  return ['', '.ts', '.mjs'].some(ending => exists(name + ending));
}

describe('the configuration table of README.md', () => {
  const rows = Array.from(
    read('README.md').matchAll(/^\| `([A-Z_]+)` \| (.+?) \|/gm),
    ([, name = '', byDefault = '']) => ({ name, byDefault }),
  );

  it('names each variable that server/config.ts reads, and no other', () => {
    const variables = found(read('server/config.ts'), /^ {2}([A-Z][A-Z_]+):/gm);
    expect(variables.length).toBeGreaterThan(20);
    // DEV_RELOAD is set by `npm run dev`, never by a person.
    expect([...rows.map(({ name }) => name), 'DEV_RELOAD'].sort()).toEqual(variables.sort());
  });

  it('has the defaults of server/config.ts', () => {
    const config: Record<string, unknown> = { ...readConfig({}) };
    const literals = rows.flatMap(({ name, byDefault }) => {
      const [, literal] = /^`([^`]+)`(?: \(.*\))?$/.exec(byDefault) ?? [];
      return literal === undefined ? [] : [{ name, literal }];
    });
    expect(literals.length).toBeGreaterThan(15);
    for (const { name, literal } of literals) {
      const field = name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
      expect([name, config[field]]).toEqual([name, valueFrom(literal)]);
    }
  });
});

function valueFrom(literal: string): unknown {
  if (literal === 'on' || literal === 'off') return literal === 'on';
  return /^(?:\d+|\{.*\})$/.test(literal) ? JSON.parse(literal) : literal;
}

describe.each(documents)('%s', document => {
  const text = read(document);
  const withoutCode = text.replace(/^```[\s\S]*?^```$/gm, '');
  const codeSpans = found(withoutCode, /`([^`\n]+)`/g);

  it('links to files that exist', () => {
    const links = found(withoutCode, /(?:\]\(|<img src=")([^)\s"]+)/g).map(
      link => link.split('#', 1)[0] ?? '',
    );
    // Addresses of the site, such as `/uploads/file.svg`, are examples.
    const files = links.filter(link => link !== '' && !link.startsWith('/') && !/^[a-z]+:/.test(link));
    expect(files.filter(link => !exists(path.join(path.dirname(document), link)))).toEqual([]);
  });

  it('names files that exist', () => {
    const names = codeSpans.filter(span =>
      /^(?:server|client|shared|build|tests|docs)\/[\w./-]+$/.test(span),
    );
    expect(
      names.filter(name => !EXAMPLES.test(name) && !exists(name) && !exists(`tests/${name}.test.ts`)),
    ).toEqual([]);
  });

  it('names tests that exist, and quotes their titles', () => {
    expect(testsIn(withoutCode).filter(file => !exists(file))).toEqual([]);
    const wrong = withoutCode.split('\n').flatMap(line => {
      const tests = testsIn(line).filter(exists).map(read).join('\n');
      if (tests === '') return [];
      const titles = found(line, /(?<!\*)\*([^*]+)\*(?!\*)/g);
      return titles.filter(
        title => !title.split('…').every(part => tests.includes(part.trim().replace(/,$/, ''))),
      );
    });
    expect(wrong).toEqual([]);
  });

  it('names metrics and npm scripts that exist', () => {
    const metrics = codeSpans.flatMap(span => span.match(/\bsite_[a-z_]+/g) ?? []);
    const declared = (name: string) => {
      const base = name.replace(/_(?:count|sum|bucket)$/, '');
      return sources.includes(`'${base}'`) || sources.includes(`\`${base.replace(/[a-z]+$/, '')}\${`);
    };
    expect(metrics.filter(name => !declared(name))).toEqual([]);
    expect(found(text, /npm run ([a-z][\w:-]*)/g).filter(name => !(name in scripts))).toEqual([]);
  });
});

it('docs/runbook.md quotes lines of the log as the code writes them', () => {
  const quoted = found(read('docs/runbook.md'), /“([^”]+)”/g);
  expect(quoted.length).toBeGreaterThan(10);
  expect(quoted.filter(line => !sources.includes(line))).toEqual([]);
});

/** A call's arguments, without its opening parenthesis. */
const ARGUMENTS = /^(?:[^'()]|'[^'\n]*'|\((?:[^'()]|'[^'\n]*'|\([^()]*\))*\))*\)/;

/** The texts of the lines that a source writes at the levels `warn`, `error` and `fatal`. Texts that are put together are not among them. */
function linesOf(source: string): string[] {
  return Array.from(source.matchAll(/\blog(?:\[level\]|\.(?:warn|error|fatal))\(/g)).flatMap(match => {
    const [call = ''] = ARGUMENTS.exec(source.slice(match.index + match[0].length)) ?? [];
    // The last argument is the text, or a choice between two texts.
    const [, first, last] = /(?:\? '([^'\n]+)'\s*: )?'([^'\n]+)',?\s*\)$/.exec(call) ?? [];
    return [first, last].filter(text => text !== undefined);
  });
}

it('docs/runbook.md has the sections that remedies name', () => {
  const named = found(sources, /docs\/runbook\.md, "([^"]+)"/g);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter(title => !read('docs/runbook.md').includes(`\n## ${title}\n`))).toEqual([]);
});

it('docs/runbook.md has every line of the levels warn, error and fatal', () => {
  const runbook = read('docs/runbook.md');
  const lines = sourcesOf(['server']).map(read).flatMap(linesOf);
  expect(lines.length).toBeGreaterThan(40);
  expect(lines.filter(line => !runbook.includes(line))).toEqual([]);
});

it('docs/runbook.md has a row for each kind of problem of the content', () => {
  const kinds = found(read('server/content/decode/decode-context.ts'), /^ {2}\| '([a-z-]+)'/gm);
  expect(kinds.length).toBeGreaterThan(10);
  expect(kinds.filter(kind => !read('docs/runbook.md').includes(`\n| \`${kind}\` |`))).toEqual([]);
});
