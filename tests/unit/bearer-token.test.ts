import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bearsSecret } from '../../server/http/security/bearer-token.ts';

const SECRET = 'a-secret-of-24-characters';

describe('a bearer token', () => {
  it('a bearer token equal to the secret is accepted', () => {
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
  ])('the Authorization header %.40j is refused', header => {
    expect(bearsSecret(header, SECRET)).toBe(false);
  });

  it('one function compares all bearer tokens of the server', () => {
    // Timing cannot be measured on a busy machine. The test therefore checks that one place compares digests
    // of equal length.
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
