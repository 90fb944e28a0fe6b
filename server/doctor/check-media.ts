import type { Config } from '../config.ts';
import { isObject } from '../content/decode/wire.ts';
import { createMediaPolicy } from '../content/safe-address.ts';
import { BackendError } from '../errors.ts';
import type { Ask } from './ask.ts';
import type { ExaminedType } from './examine-type.ts';
import { EVERY_PAGE, type Finding } from './finding.ts';

/** Looks whether the files of entries come from an origin that the site shows, and whether one of them can be fetched. */
export async function checkMedia(
  types: readonly ExaminedType[],
  {
    baseUrl,
    ask,
    config,
  }: { baseUrl: string; ask: Ask; config: Pick<Config, 'mediaOrigins' | 'contentPublicUrl'> },
): Promise<Finding[]> {
  const { mediaAddress } = createMediaPolicy({ ...config, contentBaseUrl: baseUrl });
  const urls = new Set(types.flatMap(({ body }) => mediaUrls(body)));
  const common = { severity: 'error', about: 'media', pages: EVERY_PAGE, isLogged: false } as const;
  const refusedOrigins = new Set(
    [...urls].flatMap(url => (mediaAddress(url) === null ? (URL.parse(url)?.origin ?? []) : [])),
  );
  const findings: Finding[] = [...refusedOrigins].map(origin => ({
    ...common,
    what: `pictures come from ${origin}, which the site does not show`,
    remedy: `set CONTENT_PUBLIC_URL=${origin} if editors reach the CMS there, else add it to MEDIA_ORIGINS; restart the site`,
  }));
  const upload = [...urls].map(mediaAddress).find(address => address?.startsWith('/uploads/'));
  if (upload) {
    const reason = await failureOf(upload.split('#', 1)[0] ?? '', ask);
    if (reason !== null)
      findings.push({
        ...common,
        what: `the file ${upload} cannot be fetched from ${baseUrl} (${reason})`,
        remedy:
          'look at the folder public/uploads of Strapi and at proxies in front of it; for files on another server set MEDIA_ORIGINS',
      });
  }
  return findings;
}

/** @returns the reason why a file of the backend cannot be fetched; null for one that can. */
async function failureOf(path: string, ask: Ask): Promise<string | null> {
  try {
    const { status, headers, body } = await ask.run((client, signal) => client.getFile(path, signal));
    body.destroy();
    if (status !== 200) return String(status);
    return headers['content-type']?.startsWith('text/html') ? 'an HTML page' : null;
  } catch (error) {
    if (error instanceof BackendError) return error.reason;
    throw error;
  }
}

/** @returns the addresses of all files in an answer. Strapi describes each file by an object with `url` and `mime`. */
function mediaUrls(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(mediaUrls);
  if (!isObject(value)) return [];
  const { url, mime } = value;
  const own = typeof url === 'string' && typeof mime === 'string' ? [url] : [];
  return [...own, ...Object.values(value).flatMap(mediaUrls)];
}
