import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bearsSecret } from '../../server/http/security/bearer-token.ts';

const SECRET = 'a-secret-of-24-characters';

describe('a bearer token', () => {
  it('a bearer token is accepted when it equals the secret', () => {
    expect(bearsSecret(`Bearer ${SECRET}`, SECRET)).toBe(true);
  });

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    SECRET,
    `Basic ${SECRET}`,
    `Bearer ${SECRET.slice(0, -1)}`,
    `Bearer ${SECRET}x`,
    `Bearer  ${SECRET}`,
    `Bearer ${SECRET} `,
    `Bearer ${SECRET.toUpperCase()}`,
    `Bearer ${'x'.repeat(100_000)}`,
    `Bearer ${SECRET}, Bearer other`,
  ])('a bearer token is refused in the header %.40j', header => {
    expect(bearsSecret(header, SECRET)).toBe(false);
  });

  it('a bearer token is compared by one function in the whole server', () => {
    // A busy machine cannot measure the time of a comparison. The sources can be searched: digests of equal
    // length are compared in one place.
    const source = (file: string) =>
      readFileSync(path.resolve(import.meta.dirname, '../../server', file), 'utf8');
    expect(source('http/security/bearer-token.ts')).toMatch(
      /timingSafeEqual\(digest\(text\), digest\(secret\)\)/,
    );
    for (const file of [
      'endpoints/content-webhook.ts',
      'ops-app.ts',
      'embedded-cms/start-embedded-backend.ts',
    ]) {
      expect(source(file)).toContain('bearsSecret(');
      expect(source(file)).not.toMatch(/[!=]==? *(?:secret|token|config\.opsToken|config\.webhookSecret)\b/);
    }
  });
});
