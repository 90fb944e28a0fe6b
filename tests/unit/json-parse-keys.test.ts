import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

/**
 * V8's `JSON.parse` in Node 24.21 misreads some object keys that are written with an escape. Node 20 reads
 * them right.
 *
 * Cause: after an object has been parsed, V8 expects the next object of the same shape to have the same next
 * key. It compares the expected key with the raw text of the new key, before escapes are resolved. A key with
 * a backslash in it (such as `\` alone) equals the beginning of an escape, so `"\u003c"` is taken for `"\"`.
 * The decoded lengths have to agree.
 *
 * Is JSON that this site parses affected? A misread key always holds a backslash, so it is never one of the
 * names that the site reads: a misread field counts as absent or unknown. Nobody can forge a known field or
 * reach `__proto__` by it.
 *
 * - Backend answers: the backend writes field names without escapes. Fields are read by name, also those
 *   inside JSON fields.
 * - Structured data by an editor (the `schema` field) is parsed and written again with the keys the editor
 *   chose. A key there would have to hold an escape and follow one with a backslash at the same place.
 *   schema.org has no such key.
 * - Page data and payloads in the browser: `escapeJson` escapes `<`, `>` and `&` in keys, but every key is a
 *   name of ours.
 * - Session storage: the reload guard is keyed by path, and a URL's path has neither a backslash nor a
 *   quotation mark.
 * - Form posts and outbox messages: strangers choose the keys, but only those of the form are read. A
 *   stranger who posts a key with a backslash can affect later posts only where they write a field's name
 *   with an escape, which no browser does.
 * - Webhooks: the sender has the secret, and events are read by name. Files on disk are written by the site,
 *   with its own names.
 */
it('JSON.parse of this engine still misreads an escaped key after a key with a backslash', () => {
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
