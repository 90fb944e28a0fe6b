import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { logsDocument, metricsDocument } from '../../build/table-docs.ts';
import { LOG_SECTIONS, PROBLEM_KINDS } from '../../server/ops/log-codes.ts';
import { METRICS } from '../../server/ops/metrics/metric-table.ts';
import { sourcesOf } from '../support/import-graph.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const exists = (file: string) => existsSync(path.join(root, file));

/**
 * Documents for people. Excluded are decisions, which describe the project at their date, and the generated
 * `licences.md`.
 */
const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'changes/README.md', 'content/README.md'],
  ...readdirSync(path.join(root, 'docs'))
    .filter(name => name.endsWith('.md') && name !== 'licences.md')
    .map(name => `docs/${name}`),
];

/** Files that a reader makes by following the how-tos of CONTRIBUTING.md. */
const EXAMPLES = /\/(?:promise-block|case-study-page)\./;

const sources = sourcesOf(['server', 'client', 'shared', 'site', 'build']);
const text = sources.map(read).join('\n');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** @returns the first group of each match in a text. */
const found = (text: string, expression: RegExp) =>
  Array.from(text.matchAll(expression), ([, group = '']) => group);
/** @returns the test files that a text names, such as `unit/config`. */
const testsIn = (text: string) =>
  found(text, /\b((?:unit|integration|browser|build)\/[a-z\d-]+)(?![\w./*-])/g)
    .map(name => `tests/${name}.test.ts`)
    .filter(file => exists(file) || !file.startsWith('tests/build/') || !isBuildFile(file));

/** @returns whether a name such as `build/fonts` means a source file instead of a test of that name. */
function isBuildFile(test: string): boolean {
  const name = test.replace(/^tests\/(.*)\.test\.ts$/, '$1');
  return ['', '.ts', '.mjs'].some(ending => exists(name + ending));
}

/** @returns the anchors that GitHub gives to the headings of a document. */
const anchorsOf = (text: string) =>
  found(text, /^#+ (.+)$/gm).map(title =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe.each(documents)('%s', document => {
  const text = read(document);
  const withoutCode = text.replace(/^```[\s\S]*?^```$/gm, '');
  const codeSpans = found(withoutCode, /`([^`\n]+)`/g);

  it('the document links to files that exist', () => {
    const links = found(withoutCode, /(?:\]\(|<img src=")([^)\s"]+)/g).map(
      link => link.split('#', 1)[0] ?? '',
    );
    // Addresses of the site, such as `/uploads/file.svg`, are examples.
    const files = links.filter(link => link !== '' && !link.startsWith('/') && !/^[a-z]+:/.test(link));
    expect(files.filter(link => !exists(path.join(path.dirname(document), link)))).toEqual([]);
  });

  it('the document links to sections that exist', () => {
    const links = found(withoutCode, /\]\(([^)\s"]*#[^)\s"]+)/g).filter(link => !/^[a-z]+:/.test(link));
    const dead = links.filter(link => {
      const [file = '', section] = link.split('#');
      const target = file === '' ? document : path.join(path.dirname(document), file);
      return target.endsWith('.md') && !anchorsOf(read(target)).includes(section ?? '');
    });
    expect(dead).toEqual([]);
  });

  it('the document names files that exist', () => {
    const names = codeSpans.filter(span =>
      /^(?:server|client|shared|build|tests|docs)\/[\w./-]+$/.test(span),
    );
    expect(
      names.filter(name => !EXAMPLES.test(name) && !exists(name) && !exists(`tests/${name}.test.ts`)),
    ).toEqual([]);
  });

  it('the document names tests that exist, and quotes their titles', () => {
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

  it('the document names metrics and npm scripts that exist', () => {
    const metrics = codeSpans.flatMap(span => span.match(/\b(?:site|http_(?:server|client))_[a-z_]+/g) ?? []);
    const isDeclared = (name: string) =>
      name.replace(/_(?:count|sum|bucket)$/, '') in METRICS || name in METRICS;
    expect(metrics.filter(name => !isDeclared(name))).toEqual([]);
    expect(found(text, /npm run ([a-z][\w:-]*)/g).filter(name => !(name in scripts))).toEqual([]);
  });
});

it('README.md is short, and quotes code unchanged', () => {
  const readme = read('README.md');
  expect(readme.split('\n').length).toBeLessThanOrEqual(101);
  const [code = ''] = found(readme, /^```tsx\n([\s\S]*?)^```$/gm);
  const parts = code.split(/^\/\/ ([\w./-]+)(?::.*)?$/gm).slice(1);
  const shown = parts.flatMap((file, at) => (at % 2 ? [] : [{ file, lines: parts[at + 1]?.trim() ?? '' }]));
  expect(shown.length).toBeGreaterThan(1);
  for (const { file, lines } of shown)
    for (const line of lines.split('\n'))
      expect([file, read(file)]).toEqual([file, expect.stringContaining(line)]);
});

it('docs/README.md lists every document', () => {
  const listed = found(read('docs/README.md'), /\]\(([^)#]+)/g).map(link => path.join('docs', link));
  expect(documents.filter(document => document !== 'docs/README.md' && !listed.includes(document))).toEqual(
    [],
  );
});

it('docs/logs.md and docs/metrics.md equal the output of `npm run docs:tables`', () => {
  expect(read('docs/logs.md')).toBe(logsDocument());
  expect(read('docs/metrics.md')).toBe(metricsDocument());
});

describe('docs/logs.md', () => {
  const rows = Object.values(LOG_SECTIONS).flatMap(section => Object.entries(section));
  const codes = rows.map(([code]) => code);

  it('each code has one row, with its meaning and what to do', () => {
    expect(codes.length).toBeGreaterThan(100);
    expect(new Set(codes).size).toBe(codes.length);
    expect(rows.filter(([, [, meaning, remedy]]) => meaning === '' || remedy === '')).toEqual([]);
  });

  it('each code occurs in the sources', () => {
    const others = sources
      .filter(file => file !== 'server/ops/log-codes.ts')
      .map(read)
      .join('\n');
    const parts = (code: string) => [
      code,
      code.replace(/-(?:down|up)$/, ''),
      code.replace(/^content-(?:type-)?/, ''),
    ];
    expect(
      codes.filter(
        code =>
          !parts(code).some(part => others.includes(`'${part}'`) || others.includes(`"code":"${part}"`)),
      ),
    ).toEqual([]);
  });

  it('docs/logs.md lists the levels at which each code is logged', () => {
    const calls = Array.from(
      text.matchAll(/\blog\.(debug|info|warn|error|fatal)\(\s*\{\s*code: '([a-z-]+)'/g),
      ([, level = '', code = '']) => ({ level, code }),
    );
    expect(calls.length).toBeGreaterThan(60);
    const levelsOf = new Map<string, readonly string[]>(
      rows.map(([code, [levels]]) => [code, levels.split(', ')]),
    );
    expect(calls.filter(({ level, code }) => !levelsOf.get(code)?.includes(level))).toEqual([]);
  });

  it('docs/logs.md has a row for each code that the runbook names', () => {
    const named = found(read('docs/runbook.md'), /\*\*In the log:\*\*[^`\n]*`([a-z-]+)`/g);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(code => !codes.includes(code))).toEqual([]);
  });
});

it('docs/runbook.md has each section that a remedy names', () => {
  const named = found(text, /docs\/runbook\.md, "([^"]+)"/g);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter(title => !read('docs/runbook.md').includes(`\n## ${title}\n`))).toEqual([]);
});

it('docs/runbook.md has a row for each kind of content problem', () => {
  expect(PROBLEM_KINDS.length).toBeGreaterThan(10);
  expect(PROBLEM_KINDS.filter(kind => !read('docs/runbook.md').includes(`\n| \`${kind}\` |`))).toEqual([]);
});

it('the glossary has at most 28 rows, in alphabetical order', () => {
  const [, glossary = ''] = read('docs/architecture.md').split('\n## Glossary\n');
  const terms = found(glossary.split('\n## ')[0] ?? '', /^\| \*\*([^*]+)\*\* \|/gm);
  expect(terms.length).toBeGreaterThan(20);
  expect(terms.length).toBeLessThanOrEqual(28);
  expect(terms).toEqual(terms.toSorted((one, other) => one.localeCompare(other, 'en')));
});
