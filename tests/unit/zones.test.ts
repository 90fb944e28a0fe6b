import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  circlesOf,
  closureOf,
  type Import,
  readImports,
  sourcesOf,
  wayBackTo,
} from '../support/import-graph.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const sourcesFolder = /^(?:server|client|shared|site|build|tools)\//;
const MAX_LOOSE_FILES = 10;
/** The module that serves pages from memory, and the maximum number of files in its import closure. */
const HIT = 'server/page/answer-from-cache.ts';
const MAX_FILES_OF_A_HIT = 40;
interface Rule {
  readonly says: string;
  readonly from: RegExp;
  readonly mustNotImport: RegExp;
  /** Known breaches of the rule, as `from → to`. A line that is no longer a breach fails the test. */
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
    says: 'one module imports React Router (decision 195)',
    from: /^(?:server|client|shared|site)\/(?!routing\/router\.ts$)/,
    mustNotImport: /^react-router/,
  },
  {
    says: 'server/, client/, shared/ and site/ do not import build/',
    from: /^(?:server|client|shared|site)\//,
    mustNotImport: /^build\//,
  },
  {
    says: 'nothing imports tools/, whose commands stand outside of the engine',
    from: /^(?:server|client|shared|site|build)\//,
    mustNotImport: /^tools\//,
  },
  {
    says: 'files of site/ for both sides import neither server/ nor client/, nor a file of the server’s side',
    from: /^site\/(?!.*\.server\.ts$)/,
    mustNotImport: /^(?:server|client)\/|^node:|\.server\.ts$/,
  },
  {
    says: 'the engine reads descriptions of blocks, types and sections by their lists alone',
    from: /^(?:server|client|shared|build)\//,
    mustNotImport: /^site\/(?:blocks|types|sections|components)\/|^site\/components\.ts$/,
  },
  {
    says: 'files of site/ for the server do not import client/',
    from: /^site\/.*\.server\.ts$/,
    mustNotImport: /^client\//,
  },
  {
    says: 'the parts, blocks and types of the site import no route and no layout',
    from: /^site\/(?:parts|blocks|types|words)\//,
    mustNotImport: /^site\/(?:routes|layouts)\//,
  },
  {
    says: 'the brand is data, and imports its type alone',
    from: /^site\/brand\//,
    mustNotImport: /^(?!shared\/brand\.ts$)/,
  },
  {
    says: 'the engine imports the site by the lists at its top, and no file of a folder',
    from: /^(?:server|client|shared)\//,
    mustNotImport: /^site\/[^/]+\//,
    known: ['server/endpoints/search.ts → site/routes/search/search.load.server.ts'],
  },
  {
    says: 'the layouts of the site import no route',
    from: /^site\/layouts\//,
    mustNotImport: /^site\/routes\//,
  },
];

/**
 * Layers (floors) of `server/`, from the top. A folder (room) imports from lower floors only. A loose file
 * counts as a room.
 */
const FLOORS: readonly (readonly string[])[] = [
  ['main.ts'],
  ['app.ts', 'request-listener.ts', 'shut-down.ts'],
  ['create-site.ts'],
  ['ops-page'],
  ['ops-app.ts'],
  ['compose'],
  ['endpoints', 'forms', 'links', 'tracing', 'vitals'],
  ['page'],
  ['data', 'doctor', 'render', 'replicas'],
  ['assets', 'embedded-cms', 'events', 'loading', 'outbox'],
  ['media', 'previews', 'search', 'shared-store'],
  ['cdn', 'content', 'page-cache'],
  ['decode'],
  ['rich-text'],
  ['addresses'],
  ['backend', 'cache', 'http', 'load-site.ts', 'wire'],
  ['errors.ts'],
  ['config', 'ops'],
];

const sources = sourcesOf(['server', 'client', 'shared', 'site', 'build', 'tools']);
/**
 * Lazy imports of pages and loaders in route descriptions do not count. Those files import the list of
 * routes, so the imports would be circular.
 */
const namesFileOfRoute = ({ from, isLazy }: Import) => isLazy && from.endsWith('.route.ts');
const imports = readImports(sources).filter(one => !namesFileOfRoute(one));
const looseFiles = sources.filter(file => /^server\/[^/]+$/.test(file));
const roomOf = (file: string) => /^server\/([^/]+)/.exec(file)?.[1] ?? null;
const lineOf = ({ from, to }: Import) => `${from} → ${to}`;

describe('the zones of the source tree', () => {
  it('every relative import names a file that exists', () => {
    const relative = imports.filter(({ to }) => sourcesFolder.test(to));
    expect(relative.length).toBeGreaterThan(sources.length);
    expect(relative.filter(({ to }) => !existsSync(path.join(projectRoot, to))).map(lineOf)).toEqual([]);
  });

  it(`server/ has at most ${MAX_LOOSE_FILES} loose files`, () => {
    expect(looseFiles.length, looseFiles.join(', ')).toBeLessThanOrEqual(MAX_LOOSE_FILES);
  });

  it.each(RULES)('an import obeys the rule: $says', ({ says, from, mustNotImport, known = [] }) => {
    expect(
      sources.some(file => from.test(file)),
      'the rule names a folder that exists',
    ).toBe(true);
    const breaches = imports.filter(one => from.test(one.from) && mustNotImport.test(one.to));
    // The lists must be equal: a new breach fails, and so does a line that is no longer a breach.
    expect([...new Set(breaches.map(lineOf))].sort(), says).toEqual([...known].sort());
  });

  it('each folder of server/ imports only from lower layers', () => {
    const floorOf = new Map(FLOORS.flatMap((rooms, floor) => rooms.map(room => [room, floor] as const)));
    const rooms = new Set(sources.map(roomOf).filter(room => room !== null));
    expect([...rooms].sort(), 'every room has a floor').toEqual([...floorOf.keys()].sort());
    const upwards = imports.filter(({ from, to }) => {
      const [room, other] = [roomOf(from), roomOf(to)];
      if (room === null || other === null || room === other) return false;
      return (floorOf.get(other) ?? 0) <= (floorOf.get(room) ?? 0);
    });
    expect(upwards.map(lineOf)).toEqual([]);
  });

  it('the ops page, web vitals and tracing are imported only where the site is assembled', () => {
    const isApart = ({ from, to, isType }: Import) =>
      !isType && /^server\/(?:ops-page|vitals|tracing)\//.test(to) && roomOf(from) !== roomOf(to);
    const importers = imports.filter(isApart).map(({ from }) => from);
    expect([...new Set(importers)].sort()).toEqual([
      ...[
        'server/compose/backend.ts',
        'server/compose/storage.ts',
        'server/create-site.ts',
        'server/main.ts',
      ],
    ]);
  });

  it('the start loads neither the packages of OpenTelemetry nor the ops page', () => {
    const isLate = (file: string) => /^@opentelemetry\/|^server\/ops-page\/ops-page\.ts$/.test(file);
    const atStart = imports.filter(({ isLazy }) => !isLazy);
    expect(closureOf('server/main.ts', imports).filter(isLate).length).toBeGreaterThan(3);
    expect(closureOf('server/main.ts', atStart)).toContain('server/tracing/traced-parts.ts');
    expect(closureOf('server/main.ts', atStart).filter(isLate)).toEqual([]);
  });

  it('a cache hit in memory needs few files, and neither React nor loaders', () => {
    const closure = closureOf(HIT, imports);
    expect(
      closure.filter(file => /react|^server\/(?:render|loaders|content|decode|rich-text)\//.test(file)),
    ).toEqual([]);
    // Route descriptions are data, one file each.
    const files = closure.filter(file => sourcesFolder.test(file) && !file.endsWith('.route.ts'));
    expect(files.length, files.join(', ')).toBeGreaterThan(10);
    expect(files.length, files.join(', ')).toBeLessThanOrEqual(MAX_FILES_OF_A_HIT);
  });

  it('no files import one another circularly', () => {
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
