import { readFile } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import type { PartialMessage } from 'esbuild';
import { remembered } from '../../server/ops/bounded-map.ts';
import { BuildError } from '../build-error.ts';
import { listFiles, projectRoot } from '../output-files.ts';
import { compileCssModule } from './css-modules.ts';

/** @throws BuildError with clashing names of CSS modules, and undefined classes. */
export async function checkCssModules(): Promise<void> {
  const files = (await Promise.all(['shared', 'site', 'client'].map(listFiles))).flat();
  const errors = clashingNames(files.filter(file => file.endsWith('.module.css')));
  const known = new Map<string, Promise<ReadonlySet<string>>>();
  const classesOf = (file: string) => remembered(known, file, () => definedClasses(file));
  await Promise.all(
    files
      .filter(file => /\.tsx?$/.test(file))
      .map(async file => {
        const source = await readFile(join(projectRoot, file), 'utf8');
        for (const use of usesOf(file, source)) {
          const classes = await classesOf(use.module);
          if (!classes.has(use.className)) errors.push(unknownClass(file, source, use));
        }
      }),
  );
  if (errors.length > 0) throw new BuildError(errors);
}

function clashingNames(modules: readonly string[]): PartialMessage[] {
  const byName = Map.groupBy(modules, file => basename(file));
  return [...byName.values()]
    .filter(same => same.length > 1)
    .map(same => ({ text: `Class names come from file names, so these would collide: ${same.join(', ')}` }));
}

/** @returns the defined classes. A missing or broken module has any class: the bundler reports the module. */
async function definedClasses(file: string): Promise<ReadonlySet<string>> {
  try {
    return new Set(Object.keys((await compileCssModule(join(projectRoot, file))).classes));
  } catch {
    return { has: () => true } as unknown as ReadonlySet<string>;
  }
}

interface ClassUse {
  readonly module: string;
  readonly className: string;
  readonly offset: number;
}

function* usesOf(file: string, source: string): Generator<ClassUse> {
  for (const [, name = '', specifier = ''] of source.matchAll(
    /^import (\w+) from ['"](\.[^'"]+\.module\.css)['"]/gm,
  )) {
    const module = posix.join(posix.dirname(file), specifier);
    const uses = new RegExp(`(?<![\\w.$])${name}(?:\\.(\\w+)|\\[(?:'([^']+)'|"([^"]+)")\\])`, 'g');
    for (const match of source.matchAll(uses)) {
      yield { module, className: match[1] ?? match[2] ?? match[3] ?? '', offset: match.index };
    }
  }
}

function unknownClass(file: string, source: string, use: ClassUse): PartialMessage {
  const before = source.slice(0, use.offset).split('\n');
  const line = before.length;
  const column = before.at(-1)?.length ?? 0;
  return {
    text: `${use.module} has no class '${use.className}'`,
    location: { file, line, column, lineText: source.split('\n')[line - 1] ?? '' },
  };
}
