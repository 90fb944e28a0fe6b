import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { copyProject, runCommand } from './run-command.ts';

/** `npm run dev` with a copy of the project, whose files a test edits. */
export interface DevLoop {
  readonly url: string;
  readonly folder: string;
  /** Replaces a text in a file, which must have it. @returns the time of the write, in ms. */
  edit(file: string, text: string, replacement: string): Promise<number>;
  output(): string;
  close(): Promise<void>;
}

/** A script in place of the editor. It writes its arguments into the second file. */
const EDITOR = 'editor.mjs';
export const OPENED = 'opened.txt';

export async function startDevLoop(): Promise<DevLoop> {
  const copy = await copyProject();
  const at = (file: string) => path.join(copy.folder, file);
  // Check few types, because all would take many seconds.
  const { compilerOptions } = JSON.parse(await readFile(at('tsconfig.json'), 'utf8'));
  const include = ['shared/*.d.ts', 'site/*.d.ts', 'site/parts/section-heading.tsx'];
  await writeFile(at('tsconfig.json'), JSON.stringify({ compilerOptions, include }));
  const save = `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(at(OPENED))}, process.argv.slice(2).join(' '));\n`;
  await writeFile(at(EDITOR), `#!${process.execPath}\n${save}`, { mode: 0o755 });
  const running = await runCommand([process.execPath, 'build/dev.ts'], {
    cwd: copy.folder,
    // On a busy machine the server is slow to answer its own calls for content.
    env: { LAUNCH_EDITOR: at(EDITOR), CONTENT_TIMEOUT_MS: '20000' },
  });
  return {
    url: running.url,
    folder: copy.folder,
    async edit(file, text, replacement) {
      const source = await readFile(at(file), 'utf8');
      if (!source.includes(text)) throw new Error(`${file} has no ${text}`);
      const now = performance.now();
      await writeFile(at(file), source.replace(text, replacement));
      return now;
    },
    output: running.output,
    async close() {
      await running.dispose();
      await copy.remove();
    },
  };
}
