import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

const root = path.resolve(import.meta.dirname, '../..');

/** @returns a file of the project. */
export const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** A service of `deploy/compose.yaml`, as far as tests look at it. */
export interface Service {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly stop_grace_period?: string;
  readonly ulimits?: { readonly nofile: number };
}

export interface Compose {
  readonly services: Readonly<Record<string, Service>>;
}

/** A variable of a text: `${NAME}`, `${NAME:?message}` or `${NAME-default}`. */
const VARIABLE = /\$\{([A-Z_]+)(?::\?[^}]*|-([^}]*))?\}/g;

/** @returns the names of the variables that `deploy/compose.yaml` needs. */
export function composeVariables(): readonly string[] {
  const needed = read('deploy/compose.yaml').matchAll(VARIABLE);
  const names = [...needed].flatMap(([, name = '', byDefault]) => (byDefault === undefined ? [name] : []));
  return [...new Set(names)].sort();
}

/** @returns `deploy/compose.yaml` with these variables. @throws for a variable that is missing. */
export function composeWith(variables: NodeJS.Dict<string>): Compose {
  const parsed = parse(read('deploy/compose.yaml'), { merge: true });
  return JSON.parse(JSON.stringify(parsed), (_key, value) =>
    typeof value === 'string'
      ? value.replaceAll(VARIABLE, (_whole, name: string, byDefault?: string) => {
          const found = variables[name] ?? byDefault;
          if (found === undefined) throw new Error(`deploy/compose.yaml needs ${name}`);
          return found;
        })
      : value,
  );
}

/** @returns the variables that an image sets. */
export function imageEnvironment(dockerfile: string): Readonly<Record<string, string>> {
  const [, settings = ''] = /^ENV ((?:.+\\\n)*.+)$/m.exec(read(dockerfile)) ?? [];
  return Object.fromEntries(settings.split(/\s*\\?\s+/).map(setting => setting.split('=')));
}

/** An object of `deploy/kubernetes.yaml`. */
export interface Manifest {
  readonly kind: string;
  readonly data?: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at a few values of many kinds
  readonly spec?: any;
}

/** @returns the objects of `deploy/kubernetes.yaml`. */
export function kubernetesManifests(): readonly Manifest[] {
  return parseAllDocuments(read('deploy/kubernetes.yaml')).map(document => document.toJS() as Manifest);
}

/** @returns the values of a setting in `deploy/site.service`, in their order. */
export function unitSettings(name: string): readonly string[] {
  const lines = read('deploy/site.service').matchAll(/^(\w+)=(.*)$/gm);
  return [...lines].flatMap(([, setting, value = '']) => (setting === name ? [value] : []));
}
