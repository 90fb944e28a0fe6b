// npm run release -- 1.1.0: moves changes/ into CHANGELOG.md, and sets the version of the packages

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './output-files.ts';

const KINDS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'] as const;
const CHANGE = new RegExp(`^(${KINDS.join('|')}): (\\S.*)$`, 's');

type Change = ReturnType<typeof changeIn>;

/** @throws Error with the file whose text does not begin with a kind. */
export function changeIn(file: string, content: string) {
  const [, kind, text] = CHANGE.exec(content.trim()) ?? [];
  if (kind === undefined || text === undefined)
    throw new Error(`${file} must begin with one of ${KINDS.join(', ')}, and a colon`);
  return { kind, text: text.replaceAll('\n', '\n  ') };
}

export function withRelease(
  changelog: string,
  version: string,
  date: string,
  changes: readonly Change[],
): string {
  const lists = KINDS.flatMap(kind => {
    const lines = changes.filter(change => change.kind === kind).map(({ text }) => `- ${text}\n`);
    return lines.length === 0 ? [] : [`### ${kind}\n\n${lines.join('')}`];
  });
  const newest = changelog.indexOf('\n## ') + 1;
  return `${changelog.slice(0, newest)}## ${version} – ${date}\n\n${lists.join('\n')}\n${changelog.slice(newest)}`;
}

export function pendingChanges(folder = join(projectRoot, 'changes')): Map<string, Change> {
  const files = readdirSync(folder).filter(name => name.endsWith('.md') && name !== 'README.md');
  return new Map(
    files.map(name => [join(folder, name), changeIn(name, readFileSync(join(folder, name), 'utf8'))]),
  );
}

function release(version: string): void {
  const changes = pendingChanges();
  if (changes.size === 0) throw new Error('changes/ has no file: nothing to release');
  const changelog = join(projectRoot, 'CHANGELOG.md');
  const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
  writeFileSync(
    changelog,
    withRelease(readFileSync(changelog, 'utf8'), version, today, [...changes.values()]),
  );
  for (const name of ['package.json', 'package-lock.json']) setVersion(join(projectRoot, name), version);
  for (const file of changes.keys()) rmSync(file);
  console.log(`Commit this as "release: ${version}", then tag it: git tag v${version}`);
}

function setVersion(file: string, version: string): void {
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  manifest.version = version;
  if (manifest.packages?.['']) manifest.packages[''].version = version;
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}

if (import.meta.main) {
  const [first = '', tag] = process.argv.slice(2);
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  if (/^\d+\.\d+\.\d+$/.test(first)) release(first);
  else if (first !== '--check' || tag !== `v${version}`) {
    console.error(`Name a version, such as 1.1.0. The version is ${version}, and its tag v${version}.`);
    process.exitCode = 2;
  }
}
