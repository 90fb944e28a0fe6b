import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';

/** One import of a file or a package by a file. */
export interface Import {
  readonly from: string;
  /** A path in the project for a relative specifier, else the specifier itself: `node:fs`, `react`. */
  readonly to: string;
  /** Whether the import has only types, which do not exist at run time. */
  readonly isType: boolean;
  /** Whether the import is `import()`, which runs when it is called. */
  readonly isLazy: boolean;
}

const projectRoot = path.resolve(import.meta.dirname, '../..');

/** @returns the sources below the folders, as paths in the project with forward slashes. */
export function sourcesOf(folders: readonly string[]): string[] {
  return folders.flatMap(folder =>
    readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .map(file => path.posix.join(folder, file.replaceAll(path.sep, '/')))
      .filter(file => /\.[cm]?tsx?$|\.mjs$/.test(file)),
  );
}

/**
 * @returns all imports of the files: `import`, `export … from`, `import()` and `import('…').Type`, including
 *   types.
 */
export function readImports(files: readonly string[]): Import[] {
  return files.flatMap(from => {
    const { program, errors } = parseSync(from, readFileSync(path.join(projectRoot, from), 'utf8'));
    if (errors[0]) throw new Error(`${from}: ${errors[0].message}`);
    const found: Import[] = [];
    const add = (source: { type: string; value?: unknown } | null, isType = false, isLazy = false) => {
      if (source?.type !== 'Literal' || typeof source.value !== 'string') return;
      const to = source.value.startsWith('.')
        ? path.posix.join(path.posix.dirname(from), source.value)
        : source.value;
      found.push({ from, to, isType, isLazy });
    };
    new Visitor({
      ImportDeclaration: ({ source, importKind, specifiers }) =>
        add(source, importKind === 'type' || isOfTypes(specifiers)),
      ExportNamedDeclaration: ({ source, exportKind }) => add(source, exportKind === 'type'),
      ExportAllDeclaration: node => add(node.source),
      ImportExpression: node => add(node.source, false, true),
      TSImportType: node => add(node.source, true),
    }).visit(program);
    return found;
  });
}

/** @returns whether every name of an import is a type. An import without names runs the file. */
function isOfTypes(specifiers: readonly { type: string; importKind?: string | null }[]): boolean {
  return specifiers.length > 0 && specifiers.every(({ importKind }) => importKind === 'type');
}

/** @returns the files and packages loaded at run time because of a file, the file itself first. */
export function closureOf(file: string, imports: readonly Import[]): string[] {
  const targets = targetsByFile(imports.filter(({ isType }) => !isType));
  const closure = new Set([file]);
  for (const one of closure) for (const target of targets.get(one) ?? []) closure.add(target);
  return [...closure];
}

/**
 * @returns the groups of files that import one another in a circle: strongly connected components, by
 *   Tarjan's algorithm.
 */
export function circlesOf(imports: readonly Import[]): string[][] {
  const targets = targetsByFile(imports);
  const order = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];

  /**
   * @returns the position of the first visited file that is reachable from this file and belongs to no
   *   component yet.
   */
  const visit = (file: string): number => {
    const own = order.size;
    order.set(file, own);
    open.push(file);
    let earliest = own;
    for (const target of targets.get(file) ?? []) {
      const reached = order.get(target);
      if (reached === undefined) earliest = Math.min(earliest, visit(target));
      else if (open.includes(target)) earliest = Math.min(earliest, reached);
    }
    if (earliest === own) {
      const component = open.splice(open.indexOf(file));
      if (component.length > 1) circles.push(component.sort());
    }
    return earliest;
  };
  for (const file of targets.keys()) if (!order.has(file)) visit(file);
  return circles;
}

/** @returns the shortest chain of imports from the file back to itself, or null. */
export function wayBackTo(file: string, imports: readonly Import[]): string[] | null {
  const targets = targetsByFile(imports);
  const seen = new Set<string>();
  let ways = [[file]];
  while (ways.length > 0) {
    const longer: string[][] = [];
    for (const way of ways) {
      for (const target of targets.get(way.at(-1) ?? file) ?? []) {
        if (target === file) return [...way, file];
        if (!seen.has(target)) longer.push([...way, target]);
        seen.add(target);
      }
    }
    ways = longer;
  }
  return null;
}

function targetsByFile(imports: readonly Import[]): Map<string, string[]> {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
  return targets;
}
