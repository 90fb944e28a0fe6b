import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

/**
 * V8's `JSON.parse` in Node 24.21 misreads some object keys that are written with an escape. Node 20 reads
 * them right.
 * Cause: after an object, V8 expects the next object of the same shape to have the same next key. V8 compares
 * the expected key with the raw text of the new key, before it resolves escapes. A key that is a backslash
 * equals the beginning of an escape, so `"\u003c"` is read as `"\"`. The decoded lengths have to agree.
 * Effect on this site: a misread key always holds a backslash. The site therefore never reads it by name. A
 * misread field counts as absent or unknown. Nobody can forge a known field or reach `__proto__` by it.
 * - Backend responses: the backend writes field names without escapes. Fields are read by name, also those
 *   inside JSON fields.
 * - Structured data (the `schema` field): the site parses it and writes it again with the editor's keys. A
 *   key would have to hold an escape and follow one with a backslash. schema.org has no such key.
 * - Page data and payloads in the browser: `escapeJson` escapes `<`, `>` and `&` in keys. The site chooses
 *   every key.
 * - Session storage: the reload guard is keyed by path. The path of a URL has neither a backslash nor a
 *   quotation mark.
 * - Form requests and outbox messages: strangers choose the keys, but the site reads only those of the form.
 *   A forged key affects a later request only if its field names have an escape, which no browser writes.
 * - Webhooks: the sender has the secret, and events are read by name.
 * - Files on disk: the site writes them, with names that it chooses.
 */
it('Node’s JSON.parse still misreads an escaped key after a key with a backslash', () => {
  const script = `
    JSON.parse('{"\\\\\\\\":1}');
    process.stdout.write(Object.keys(JSON.parse('{"\\\\u003c":1}'))[0]);
  `;
  const key = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect(
    key,
    'The engine is mended when this is "<". Then remove this file, and `key` in embed-json.test.ts: keys may be any hostile text again.',
  ).toBe('\\');
});
