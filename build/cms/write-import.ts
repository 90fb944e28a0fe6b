import { rm } from 'node:fs/promises';
import path from 'node:path';
import { contentDir } from '../output-files.ts';
import { writeContentPlan } from './content-plan.ts';

export async function writeImport(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await writeContentPlan(contentDir, folder);
  return folder;
}

// `node build/cms/write-import.ts FOLDER`, for `cms/Dockerfile`.
if (import.meta.main) await writeImport(path.resolve(process.argv[2] ?? 'import'));
