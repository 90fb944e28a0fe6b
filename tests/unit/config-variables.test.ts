import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../server/config/config.ts';
import { environment } from '../../server/config/environment.ts';
import { FILE_VARIABLES } from '../../server/config/variables.ts';
import { checkVariables } from '../../server/doctor/check-site.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'secrets-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function secretFile(text: string): string {
  const file = path.join(folder, String(text.length));
  writeFileSync(file, text);
  return file;
}
function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.problems : [String(error)];
  }
}

describe('a secret in a file', () => {
  const SECRET = 's'.repeat(32);

  it.each(['', '\n', '\r\n', '\n\n'])('a secret’s file may end with the line break %j', end => {
    expect(readConfig({ WEBHOOK_SECRET_FILE: secretFile(SECRET + end) }).webhookSecret).toEqual([SECRET]);
  });

  it('each secret may be read from a file', () => {
    const secrets = Object.keys(environment.shape).filter(name => /SECRET|TOKEN/.test(name));
    expect([...FILE_VARIABLES.values()]).toEqual(expect.arrayContaining(secrets));
    expect(secrets.length).toBeGreaterThan(10);
  });

  it('the error for a secret that is set twice, or whose file cannot be used, names the variable', () => {
    const file = secretFile(SECRET);
    const missing = path.join(folder, 'missing');
    expect(problemsOf({ OPS_TOKEN: SECRET, OPS_TOKEN_FILE: file })).toEqual([
      'OPS_TOKEN: wants to be left out where OPS_TOKEN_FILE is set',
    ]);
    expect(problemsOf({ OPS_TOKEN_FILE: missing, SHARED_URL_FILE: folder })).toEqual([
      'OPS_TOKEN_FILE: wants a file that can be read (ENOENT)',
      'SHARED_URL_FILE: wants a file that can be read (EISDIR)',
    ]);
    expect(problemsOf({ OPS_TOKEN_FILE: secretFile('\n') })).toEqual([
      'OPS_TOKEN_FILE: wants a file that is not empty',
    ]);
    expect(problemsOf({ OPS_TOKEN_FILE: secretFile('short') })).toEqual([
      'OPS_TOKEN: wants at least 16 characters without spaces',
    ]);
  });
});

describe('a variable with an unknown name', () => {
  const meant = (name: string) => readConfig({ [name]: 'x' }).unknownVariables[0]?.meant ?? null;

  it.each<[string, string | null]>([
    ['PUBLC_URL', 'PUBLIC_URL'],
    ['UBLIC_URL', 'PUBLIC_URL'],
    ['CONTENT_BASEURL', 'CONTENT_BASE_URL'],
    ['CONTNET_TOKEN', 'CONTENT_TOKEN'],
    ['WEBHOOK_SECRET_FIL', 'WEBHOOK_SECRET_FILE'],
    ['PROT', 'PORT'],
    ['CONTENT_BASE_ADDRESS', null],
    ...['PATH', 'HOME', 'USER', 'TERM', 'PGPORT', 'CMS_PORT', 'SITE_PORT', 'NODE_OPTIONS', 'port'].map(
      (name): [string, null] => [name, null],
    ),
  ])('the unknown variable %s is reported as a misspelling of %s', (name, known) => {
    expect(meant(name)).toBe(known);
  });

  it('the doctor reports a variable with an unknown name', () => {
    expect(checkVariables(readConfig({ HOSTT: 'x' }))).toMatchObject([
      { code: 'variable-unknown', remedy: 'set HOST if it is meant' },
    ]);
  });
});
