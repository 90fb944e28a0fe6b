import { DEFAULT_PROVIDERS, type EmbedProvider, KNOWN_PROVIDERS, providersIn } from './embed-providers.ts';
// The kinds of values of variables.

import { isIP } from 'node:net';
import * as z from 'zod';
import { CATALOGUE_NAMES, catalogueFor } from '../../shared/labels/page-language.ts';
import { isCurrency, isTimeZone } from './language-values.ts';

/** A host name or an IPv6 address in brackets, with an optional port. */
export const HOST = /^(?:[a-z\d.-]+|\[[a-f\d:.]+\])(?::\d{1,5})?$/i;

export const wholeNumber = (min: number, max: number, unit: string) =>
  z
    .string()
    .regex(/^\d+$/, `wants a whole number (${unit})`)
    .transform(Number)
    .pipe(z.number().min(min, `wants at least ${min}`).max(max, `wants at most ${max}`));

export const port = wholeNumber(0, 65_535, 'a port; 0 picks a free one');
export const secret = (min: number) =>
  z
    .string()
    .regex(/^[\x21-\x7e]+$/, `wants at least ${min} characters without spaces`)
    .min(min, `wants at least ${min} characters without spaces`);
/** A key of Standard Webhooks. */
export const webhookKey = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/, 'wants whsec_ and 24 to 64 bytes in Base64');
export const token = z.string().regex(/^[\x21-\x7e]+$/, 'wants a token without spaces');
export const onOff = z.enum(['on', 'off'], 'wants on or off').transform(value => value === 'on');

export const httpUrl = (wants: string) =>
  z.string().transform((value, context) => {
    const url = URL.canParse(value) ? new URL(value) : null;
    if (url && (url.protocol === 'http:' || url.protocol === 'https:') && !url.username && !url.password)
      return url;
    context.addIssue({ code: 'custom', message: wants });
    return z.NEVER;
  });

export const origin = (wants: string) =>
  httpUrl(wants).transform((url, context) => {
    if (url.pathname === '/' && !url.search && !url.hash) return url.origin;
    context.addIssue({ code: 'custom', message: wants });
    return z.NEVER;
  });

export const headers = z.string().transform((value, context): Record<string, string> => {
  try {
    const parsed: unknown = JSON.parse(value);
    const decoded = z
      .record(z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/), z.string().regex(/^[\t\x20-\x7e]*$/))
      .safeParse(parsed);
    if (decoded.success) return decoded.data;
  } catch {
    // Text that is not JSON gets the same message as JSON of the wrong type.
  }
  context.addIssue({ code: 'custom', message: 'wants a JSON object of header names and text values' });
  return z.NEVER;
});

const commaList = z.string().transform(value =>
  value
    .split(',')
    .map(item => item.trim())
    .filter(Boolean),
);

/** Host names in lower case. A host without a port allows every port. */
export const hosts = (such: string) =>
  commaList.pipe(
    z.array(z.string().toLowerCase().regex(HOST, `wants hosts such as ${such}, separated by commas`)),
  );
export const origins = (such: string) =>
  commaList.pipe(z.array(origin(`wants origins such as ${such}, separated by commas`)));

/** SECURITY_CONTACT: URIs (RFC 9116, 2.5.3) without white space, as a line break would begin a new field. */
export const addressesForReports = commaList.pipe(
  z.array(
    z
      .string()
      .regex(
        /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+[\d-]+)$/,
        'wants addresses such as mailto:security@example.com or https://example.com/report, separated by commas',
      ),
  ),
);

/** Express's `trust proxy`: false, a number of hops, or a list of addresses. */
export const trustProxy = z.string().transform((value, context): false | number | string => {
  if (value === 'off') return false;
  if (/^\d+$/.test(value)) return Number(value);
  const proxies = value.split(',').map(proxy => proxy.trim());
  if (proxies.every(isProxyAddress)) return proxies.join(', ');
  context.addIssue({
    code: 'custom',
    message: 'wants off, a number of proxies, or a list of their addresses',
  });
  return z.NEVER;
});

/** Whether the value is an address, a CIDR range, or a name of a range that Express knows. */
function isProxyAddress(value: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(value)) return true;
  const [address = '', bits, ...rest] = value.split('/');
  const addressBits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (bits === undefined) return addressBits > 0;
  return rest.length === 0 && /^\d+$/.test(bits) && Number(bits) >= 1 && Number(bits) <= addressBits;
}

/** A locale (BCP 47) for whose language the site has words. */
export const locale = z
  .string()
  .refine(
    value => catalogueFor(value) !== null,
    `wants a locale whose language has a catalogue (${CATALOGUE_NAMES.join(', ')}), such as en-GB`,
  );

export const timeZone = z
  .string()
  .refine(isTimeZone, 'wants a time zone of the IANA database, such as Europe/Berlin');

export const currency = z
  .string()
  .refine(isCurrency, 'wants the three letters of a currency (ISO 4217), such as USD');

const PROVIDERS_WANTED =
  `wants off, or names (${Object.keys(KNOWN_PROVIDERS).join(', ')}) and providers of your own, separated by commas, such as ` +
  'PeerTube https://tube.example.com/w/{id} https://tube.example.com/videos/embed/{id}';

/** EMBED_PROVIDERS: names of known providers, or a name with the addresses of pages and player. */
export const embedProviders = z
  .string()
  .default(DEFAULT_PROVIDERS.join(','))
  .transform((value, context): readonly EmbedProvider[] => {
    const providers = providersIn(value);
    if (providers !== null) return providers;
    context.addIssue({ code: 'custom', message: PROVIDERS_WANTED });
    return z.NEVER;
  });
