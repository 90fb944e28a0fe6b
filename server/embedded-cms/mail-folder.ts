import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '../cache/disk/missing-file.ts';
import { writeFileAtomically } from '../cache/disk/write-file-atomically.ts';
import { isObject } from '../wire/wire.ts';
import { type JsonRecord, toJsonRecord } from './content-types.ts';
import { StrapiError } from './strapi-error.ts';

export const MAX_MAIL_BYTES = 64 * 1024;

/** Parses a JSON object, or a JSON string that contains one. @throws StrapiError (400) for other bodies. */
export function parseMail(body: Buffer): JsonRecord {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    const message: unknown = typeof parsed === 'string' ? JSON.parse(parsed) : parsed;
    if (isObject(message)) return toJsonRecord(message);
  } catch {}
  throw StrapiError.ofStatus(400, 'The body must be a JSON object');
}

/** Stores a message. A repeated message has the same `key` (`Idempotency-Key`), so the same file. */
export async function storeMail(
  mailDir: string,
  message: JsonRecord,
  key: string | undefined,
): Promise<void> {
  const name = createHash('sha256')
    .update(key ?? randomUUID())
    .digest('hex')
    .slice(0, 40);
  const file = path.join(mailDir, `${name}.json`);
  if ((await unlessMissing(access(file))) !== null) return;
  await mkdir(mailDir, { recursive: true });
  // Allow only the owner to read the file, because messages contain personal data.
  await writeFileAtomically(file, `${JSON.stringify(message, null, 2)}\n`, { mode: 0o600 });
}
