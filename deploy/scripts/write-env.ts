// npm run compose:env -- PUBLIC_URL CMS_URL
//
// Completes deploy/.env with the variables that deploy/compose.yaml needs. Values that are there stay.

import path from 'node:path';
import { completeEnv, NEW_VALUES, secret } from '../../build/cms/secrets.ts';

/** Secrets of the stack besides those of the CMS. */
const SECRETS = [
  ...['SUBSCRIBE_SECRET', 'SHARED_SECRET', 'OPS_TOKEN'],
  ...['CACHE_PASSWORD', 'QUEUE_PASSWORD', 'DATABASE_PASSWORD', 'GRAFANA_PASSWORD'],
];

/** Adds what is missing. @returns all variables of the file. */
export function completeStack(
  file: string,
  publicUrl = 'https://localhost',
  cmsUrl = 'http://localhost:1337',
): NodeJS.Dict<string> {
  // The CMS gets the address of the site from PUBLIC_URL.
  const { SITE_URL, ...values } = NEW_VALUES;
  return completeEnv(file, [
    ['PUBLIC_URL', () => publicUrl],
    ['CMS_URL', () => cmsUrl],
    ...Object.entries(values),
    ...SECRETS.map(name => [name, secret] as const),
  ]);
}

if (import.meta.main) {
  const file = path.resolve(import.meta.dirname, '../.env');
  const { PUBLIC_URL, CMS_URL, ADMIN_EMAIL } = completeStack(file, process.argv[2], process.argv[3]);
  console.log(
    `deploy/.env has everything: the site at ${PUBLIC_URL}, the CMS at ${CMS_URL}/admin for ${ADMIN_EMAIL}.`,
  );
}
