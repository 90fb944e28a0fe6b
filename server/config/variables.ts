import { readFileSync } from 'node:fs';
import { editDistance } from './edit-distance.ts';
import { environment } from './environment.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

export interface UnknownVariable {
  readonly name: string;
  readonly meant: string;
}

const NAMES = Object.keys(environment.shape);
const IS_SECRET = /SECRET|TOKEN|^CONTENT_HEADERS$|^(?:SHARED|OUTBOX)_URL$/;
/** The variables that may name a file with the value, as Docker and Kubernetes store secrets. */
export const FILE_VARIABLES: ReadonlyMap<string, string> = new Map(
  NAMES.filter(name => IS_SECRET.test(name)).map(name => [`${name}_FILE`, name]),
);
const KNOWN = new Set([...NAMES, ...FILE_VARIABLES.keys()]);
const MAX_EDITS = 2;
/** Shorter names may differ by one edit only, because HOME is already two edits from HOST. */
const MIN_LONG_NAME = 6;

/** @returns the variables that are not empty, some read from files. Adds a problem for an unusable file. */
export function setVariables(env: Variables, problems: string[]): Record<string, string> {
  const set: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value) set[name] = value;
  for (const [variable, name] of FILE_VARIABLES) {
    const file = set[variable];
    if (file === undefined) continue;
    if (set[name] !== undefined) problems.push(`${name}: wants to be left out where ${variable} is set`);
    try {
      set[name] = readFileSync(file, 'utf8').trimEnd();
      if (set[name] === '') problems.push(`${variable}: wants a file that is not empty`);
    } catch (error) {
      const reason = error instanceof Error && 'code' in error ? error.code : error;
      problems.push(`${variable}: wants a file that can be read (${String(reason)})`);
    }
  }
  return set;
}

/** Finds misspelt names. Two edits need an equal first letter, or variables of other programs would match. */
export function unknownVariables(set: Variables): readonly UnknownVariable[] {
  return Object.keys(set).flatMap(name => {
    if (KNOWN.has(name)) return [];
    const meant = [...KNOWN].find(known => {
      if (Math.abs(known.length - name.length) > MAX_EDITS) return false;
      const mayHaveTwo = Math.min(known.length, name.length) >= MIN_LONG_NAME && known[0] === name[0];
      return editDistance(known, name) <= (mayHaveTwo ? MAX_EDITS : 1);
    });
    return meant === undefined ? [] : [{ name, meant }];
  });
}
