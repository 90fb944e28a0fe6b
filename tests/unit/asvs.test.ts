import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourcesOf } from '../support/import-graph.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const [, text = ''] = read('docs/security.md').split('## OWASP ASVS 5.0');

/** Sections of ASVS 5.0.0, each with the number of its last requirement of level 1 or 2. */
const SECTIONS: Readonly<Record<string, number>> = {
  ...{ '1.1': 2, '1.2': 9, '1.3': 11, '1.4': 3, '1.5': 2, '2.1': 3, '2.2': 3, '2.3': 4, '2.4': 1 },
  ...{ '3.2': 2, '3.3': 4, '3.4': 6, '3.5': 5, '3.7': 2, '4.1': 3, '4.2': 1, '4.3': 2, '4.4': 4 },
  ...{ '5.1': 1, '5.2': 3, '5.3': 2, '5.4': 3, '6.1': 3, '6.2': 12, '6.3': 4, '6.4': 4, '6.5': 5 },
  ...{ '6.6': 3, '6.8': 4, '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5, '7.5': 2, '7.6': 2, '8.1': 2 },
  ...{ '8.2': 3, '8.3': 1, '8.4': 1, '9.1': 3, '9.2': 4, '10.1': 2, '10.2': 2, '10.3': 4, '10.4': 11 },
  ...{ '10.5': 5, '10.6': 2, '10.7': 3, '11.1': 2, '11.2': 3, '11.3': 3, '11.4': 4, '11.5': 1 },
  ...{ '11.6': 1, '12.1': 3, '12.2': 2, '12.3': 4, '13.1': 1, '13.2': 5, '13.3': 2, '13.4': 5 },
  ...{ '14.1': 2, '14.2': 4, '14.3': 3, '15.1': 3, '15.2': 3, '15.3': 7, '16.1': 1, '16.2': 5 },
  ...{ '16.3': 4, '16.4': 3, '16.5': 3, '17.1': 1, '17.2': 4, '17.3': 2 },
};
const requirements = Object.entries(SECTIONS).flatMap(([section, last]) =>
  Array.from({ length: last }, (_, index) => `${section}.${index + 1}`),
);

const rows = Array.from(
  text.matchAll(/^\| (\d+\.\d+\.\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm),
  ([, id = '', , , state = '', proof = '']) => ({ id, state, proof }),
);
const [, others = ''] = text.split('Do not apply');

/** Expands a list such as `6.2.1–6.2.12, 6.3.1` to its requirements. */
function listed(list: string): string[] {
  return Array.from(list.matchAll(/(\d+\.\d+)\.(\d+)(?:–\d+\.\d+\.(\d+))?/g)).flatMap(
    ([, section, first, last = first]) =>
      Array.from(
        { length: Number(last) - Number(first) + 1 },
        (_, index) => `${section}.${Number(first) + index}`,
      ),
  );
}

describe('the table of ASVS 5.0', () => {
  it('the table of ASVS 5.0 lists each requirement of levels 1 and 2 once, or says why it does not apply', () => {
    expect(requirements).toHaveLength(253);
    const named = [...rows.map(({ id }) => id), ...listed(others)];
    expect([...named].sort()).toEqual([...requirements].sort());
  });

  it('the table of ASVS 5.0 names a test or a document for each requirement that is met', () => {
    expect(rows.length).toBeGreaterThan(69);
    const states = new Set(rows.map(({ state }) => state));
    expect([...states].sort()).toEqual(['document', 'met', 'operator', 'partly']);
    const proven = rows.filter(({ state }) => state !== 'operator');
    expect(proven.filter(({ proof }) => !/`[a-z]+\/[\w./-]+`|\]\(/.test(proof))).toEqual([]);
  });
});

const sources = sourcesOf(['server', 'client', 'shared', 'site', 'build']).map(
  file => [file, read(file)] as const,
);
const uses = (expression: RegExp) =>
  sources.flatMap(([file, source]) => Array.from(source.matchAll(expression), ([use]) => `${file}: ${use}`));

describe('the site', () => {
  const ofSite = (expression: RegExp) => uses(expression).filter(use => !use.startsWith('build/'));

  it('the site starts only one kind of child process, the image scaler, and no shell', () => {
    expect(ofSite(/^(?!import type ).*['"`](?:node:)?child_process\b.*/gm)).toEqual([
      "server/media/scaling/scaler.ts:     const { fork } = process.getBuiltinModule('node:child_process');",
    ]);
  });

  it('the site never evaluates text as code', () => {
    expect(ofSite(/\beval\(|\bFunction\(|'(?:node:)?vm'|\bset(?:Timeout|Interval)\(['"`]/g)).toEqual([]);
  });
});

describe('the inventory of cryptography', () => {
  it('SHA-256 is the only hash in the code, as the inventory of cryptography says', () => {
    expect(uses(/createHash\(/g).length).toBeGreaterThan(10);
    expect(uses(/createHash\((?!'sha256'\))[^)]*\)?/g)).toEqual([]);
  });

  it('the code signs in one place, encrypts nothing and derives no key, and always verifies certificates', () => {
    expect(uses(/\bcreateHmac\([^,]*/g)).toEqual([
      "server/http/security/signed-value.ts: createHmac('sha256'",
    ]);
    expect(uses(/\b(?:create(?:Cipheriv|Decipheriv|Sign|Verify)|scrypt|pbkdf2|hkdf|subtle)\b/g)).toEqual([]);
    expect(
      uses(/\b(?:rejectUnauthorized|checkServerIdentity|NODE_TLS_REJECT_UNAUTHORIZED|insecureHTTPParser)\b/g),
    ).toEqual([]);
  });
});

it('SECURITY.md promises a time to fix for each severity', () => {
  for (const grade of ['critical', 'high', 'medium', 'low'])
    expect(read('SECURITY.md')).toMatch(new RegExp(`^\\| ${grade} \\|.*\\d+ (?:hours|days)`, 'm'));
});
