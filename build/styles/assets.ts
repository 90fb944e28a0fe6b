import { hash } from 'node:crypto';
import { basename, extname } from 'node:path';
import type { OutputFile } from '../output-files.ts';

/** A file whose name has a hash, so that browsers keep it for ever. */
export function asset(name: string, contents: Uint8Array): OutputFile {
  const extension = extname(name);
  const digest = hash('sha256', contents).slice(0, 8).toUpperCase();
  return { path: `client/assets/${basename(name, extension)}-${digest}${extension}`, contents };
}

export function addressOf(file: OutputFile): string {
  return file.path.slice('client'.length);
}
