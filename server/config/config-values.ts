import { isIP } from 'node:net';
import * as z from 'zod';
import { CATALOGUE_NAMES, catalogueFor } from '../../shared/labels/page-language.ts';
import { DEFAULT_PROVIDERS, KNOWN_PROVIDERS, providersIn } from './embed-providers.ts';

export const HOST = /^(?:[a-z\d.-]+|\[[a-f\d:.]+\])(?::\d{1,5})?$/i;

/** A text in a special format. @param parse returns null for an invalid text. */
export const parsed = <T>(parse: (text: string) => T | null, wants: string) =>
  z.string().transform((text, context): T => {
    const value = parse(text);
    if (value !== null) return value;
    context.addIssue({ code: 'custom', message: wants });
    return z.NEVER;
  });

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
export const webhookKey = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/, 'wants whsec_ and 24 to 64 bytes in Base64');
export const token = z.string().regex(/^[\x21-\x7e]+$/, 'wants a token without spaces');
export const onOff = z.enum(['on', 'off'], 'wants on or off').transform(value => value === 'on');

export const httpUrl = (wants: string) => parsed(httpUrlIn, wants);

function httpUrlIn(text: string): URL | null {
  const url = URL.parse(text);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  return isHttp && !url.username && !url.password ? url : null;
}

export const origin = (wants: string) =>
  parsed(text => {
    const url = httpUrlIn(text);
    return url && url.pathname === '/' && !url.search && !url.hash ? url.origin : null;
  }, wants);

const headerValues = z.record(
  z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/),
  z.string().regex(/^[\t\x20-\x7e]*$/),
);
export const headers = parsed(text => {
  try {
    return headerValues.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}, 'wants a JSON object of header names and text values');

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
export const trustProxy = parsed<false | number | string>(text => {
  if (text === 'off') return false;
  if (/^\d+$/.test(text)) return Number(text);
  const proxies = text.split(',').map(proxy => proxy.trim());
  return proxies.every(isProxyAddress) ? proxies.join(', ') : null;
}, 'wants off, a number of proxies, or a list of their addresses');

function isProxyAddress(value: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(value)) return true;
  const [address = '', bits, ...rest] = value.split('/');
  const addressBits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (bits === undefined) return addressBits > 0;
  return rest.length === 0 && /^\d+$/.test(bits) && Number(bits) >= 1 && Number(bits) <= addressBits;
}

/** A locale (BCP 47) whose language has a catalogue. */
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

/** EMBED_PROVIDERS: a list. Each item is a known name, or a name with page addresses and a player. */
export const embedProviders = parsed(providersIn, PROVIDERS_WANTED).prefault(DEFAULT_PROVIDERS.join(','));

export function isTimeZone(value: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }) !== null;
  } catch {
    return false;
  }
}

export function isCurrency(value: string): boolean {
  return /^[A-Z]{3}$/.test(value);
}
