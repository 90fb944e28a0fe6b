import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../../cache/write-file-atomically.ts';
import type { JsonRecord } from './content-types.ts';
import { isRecord, toJsonRecord } from './json-values.ts';
import { StrapiError } from './strapi-error.ts';

/** Largest body that is accepted, in bytes. */
export const MAX_MAIL_BYTES = 64 * 1024;

/**
 * @param body a JSON object, or a JSON string that holds one.
 * @throws StrapiError (400) for anything else.
 */
export function parseMail(body: Buffer): JsonRecord {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    const message: unknown = typeof parsed === 'string' ? JSON.parse(parsed) : parsed;
    if (isRecord(message)) return toJsonRecord(message);
  } catch {
    // Broken JSON gets the same answer as JSON of another kind.
  }
  throw StrapiError.ofStatus(400, 'The body must be a JSON object');
}

/**
 * Writes a message into a JSON file of its own.
 * @param key the request's `Idempotency-Key`, if any. The file's name is derived from it, so a repeated message is recognised after a
 *   restart, too.
 */
export async function storeMail(
  mailDir: string,
  message: JsonRecord,
  key: string | undefined,
): Promise<void> {
  const name = createHash('sha256')
    .update(key ?? randomUUID())
    .digest('hex')
    .slice(0, 40);
  const file = join(mailDir, `${name}.json`);
  if (await exists(file)) return;
  await mkdir(mailDir, { recursive: true });
  // A message holds personal data, so only the file's owner may read it.
  await writeFileAtomically(file, `${JSON.stringify(message, null, 2)}\n`, { mode: 0o600 });
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
