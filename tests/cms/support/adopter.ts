import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { cmsFolder } from '../../../build/cms/strapi.ts';
import { projectRoot } from '../../../build/output-files.ts';

/** The line that adds the code of the site to a Strapi. */
export const LINE = "require('./site')(module.exports);";

export interface Adopter {
  readonly folder: string;
  /** Runs `npm run cms:types` on the project. */
  addTypes(...options: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  /** Adds the line to `src/index`. */
  addLine(): Promise<void>;
  /** Changes a JSON file of the project. */
  edit(file: string, change: (schema: Schema) => void): Promise<void>;
  remove(): Promise<void>;
}

export interface Schema {
  kind?: string;
  collectionName: string;
  info: Record<string, string>;
  options: unknown;
  attributes: Record<string, Record<string, unknown>>;
}

/** Copies the Strapi project of an adopter, with the packages of `cms/`. */
export async function copyAdopter(): Promise<Adopter> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'adopter-'));
  await cp(path.resolve(import.meta.dirname, '../adopter'), folder, { recursive: true });
  await symlink(path.join(cmsFolder, 'node_modules'), path.join(folder, 'node_modules'));
  // PORT=1 avoids a Strapi that may run at the usual port.
  await writeFile(path.join(folder, '.env'), 'PORT=1\n');
  return {
    folder,
    addTypes(...options) {
      const script = path.join(projectRoot, 'cms/tools/add-types.js');
      return promisify(execFile)(process.execPath, [script, ...options, folder]).then(
        result => ({ code: 0, ...result }),
        (failure: { code: number; stdout: string; stderr: string }) => failure,
      );
    },
    async addLine() {
      const index = path.join(folder, 'src/index.js');
      await writeFile(index, `${await readFile(index, 'utf8')}\n${LINE}\n`);
    },
    async edit(file, change) {
      const at = path.join(folder, file);
      const schema = JSON.parse(await readFile(at, 'utf8')) as Schema;
      change(schema);
      await writeFile(at, JSON.stringify(schema, null, 2));
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
