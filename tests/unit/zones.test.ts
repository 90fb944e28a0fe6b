import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { circlesOf, type Import, readImports, sourcesOf, wayBackTo } from '../support/import-graph.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const sourcesFolder = /^(?:server|client|shared|build)\//;
const MAX_LOOSE_FILES = 10;
const DOMAIN =
  /^server\/(?:page|page-cache|content|media|render|loaders|forms|outbox|endpoints|assets|doctor|search)\//;

interface Rule {
  readonly says: string;
  readonly from: RegExp;
  readonly mustNotImport: RegExp;
  /** Today's breaches of the rule, as `from → to`. A line that is no longer needed fails the test. */
  readonly known?: readonly string[];
}

const RULES: readonly Rule[] = [
  {
    says: 'shared/ runs on both sides: it imports neither server/ nor client/ nor Node’s own modules',
    from: /^shared\//,
    mustNotImport: /^(?:server|client)\/|^node:/,
  },
  {
    says: 'client/ runs in browsers: it imports neither server/ nor Node’s own modules',
    from: /^client\//,
    mustNotImport: /^server\/|^node:/,
  },
  {
    says: 'server/, client/ and shared/ do not import build/',
    from: /^(?:server|client|shared)\//,
    mustNotImport: /^build\//,
  },
  {
    says: 'server/ops imports nothing of the rest of server/',
    from: /^server\/ops\//,
    mustNotImport: /^server\/(?!ops\/)/,
  },
  {
    says: 'server/http imports no domain',
    from: /^server\/http\//,
    mustNotImport: DOMAIN,
  },
  {
    says: 'server/cache imports no domain',
    from: /^server\/cache\//,
    mustNotImport: DOMAIN,
  },
  {
    says: 'server/shared-state imports no domain',
    from: /^server\/shared-state\//,
    mustNotImport: DOMAIN,
  },
  {
    says: 'server/cdn imports no domain',
    from: /^server\/cdn\//,
    mustNotImport: DOMAIN,
  },
  {
    says: 'server/page-cache imports nothing of server/page, render and loaders',
    from: /^server\/page-cache\//,
    mustNotImport: /^server\/(?:page|render|loaders)\//,
  },
  {
    says: 'server/content imports nothing of page, page-cache, render, loaders and endpoints',
    from: /^server\/content\//,
    mustNotImport: /^server\/(?:page|page-cache|render|loaders|endpoints)\//,
  },
  {
    says: 'shared/layouts imports no page',
    from: /^shared\/layouts\//,
    mustNotImport: /^shared\/pages\//,
  },
  {
    says: 'shared/blocks imports no page and no layout',
    from: /^shared\/blocks\//,
    mustNotImport: /^shared\/(?:pages|layouts)\//,
  },
  {
    says: 'shared/ui imports no page, layout or block',
    from: /^shared\/ui\//,
    mustNotImport: /^shared\/(?:pages|layouts|blocks)\//,
  },
];

const sources = sourcesOf(['server', 'client', 'shared', 'build']);
const imports = readImports(sources);
const looseFiles = sources.filter(file => /^server\/[^/]+$/.test(file));
const lineOf = ({ from, to }: Import) => `${from} → ${to}`;

describe('the zones of the source tree', () => {
  it('every relative import names a file that exists', () => {
    const relative = imports.filter(({ to }) => sourcesFolder.test(to));
    expect(relative.length).toBeGreaterThan(sources.length);
    expect(relative.filter(({ to }) => !existsSync(path.join(projectRoot, to))).map(lineOf)).toEqual([]);
  });

  it(`server/ has no more than ${MAX_LOOSE_FILES} loose files`, () => {
    expect(looseFiles.length, looseFiles.join(', ')).toBeLessThanOrEqual(MAX_LOOSE_FILES);
  });

  it.each(RULES)('$says', ({ says, from, mustNotImport, known = [] }) => {
    expect(
      sources.some(file => from.test(file)),
      'the rule names a folder that exists',
    ).toBe(true);
    const breaches = imports.filter(one => from.test(one.from) && mustNotImport.test(one.to));
    // The lists must be equal: a new breach fails, and so does a known one that no longer exists.
    expect([...new Set(breaches.map(lineOf))].sort(), says).toEqual([...known].sort());
  });

  it('the files import one another without a circle', () => {
    const circles = circlesOf(imports).map(([file = '']) => wayBackTo(file, imports)?.join(' → '));
    expect(circles).toEqual([]);
  });
});

afterAll(() => {
  const circles = circlesOf(imports).length;
  const breaches = RULES.flatMap(({ known = [] }) => known).length;
  process.stdout.write(
    `zones: ${circles} circles of imports, ${looseFiles.length} loose files in server/, ${breaches} known breaches\n`,
  );
});
