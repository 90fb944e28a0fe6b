import * as z from 'zod';
import { withoutTrailingSlashes } from '../../shared/routing/trailing-slashes.ts';

/** The caches in front that the site purges, decoded from CDN_PURGE. */
export type CdnAddress =
  | { readonly kind: 'varnish'; readonly urls: readonly string[] }
  | { readonly kind: 'fastly' | 'cloudflare'; readonly id: string };

/** @returns null for a text of another form. */
export function parseCdnAddress(text: string): CdnAddress | null {
  const kind = text.split(':', 1)[0] ?? '';
  const rest = text.slice(kind.length + 1);
  if (kind === 'fastly' || kind === 'cloudflare') return isId(rest) ? { kind, id: rest } : null;
  if (kind !== 'varnish') return null;
  const urls = rest.split(',').map(url => url.trim());
  const isAddress = (url: string) => URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
  return !urls.every(isAddress)
    ? null
    : { kind: 'varnish', urls: urls.map(url => withoutTrailingSlashes(url)) };
}

/** Ids of the vendors are letters and digits. Nothing else may become a part of an address. */
function isId(text: string): boolean {
  return text !== '' && text.length <= 64 && encodeURIComponent(text) === text && !text.includes('.');
}

/** The variable CDN_PURGE. */
export const cdnAddress = z.string().transform((value, context): CdnAddress => {
  const address = parseCdnAddress(value);
  if (address) return address;
  const message =
    'wants varnish:http://10.0.0.1:6081 (several addresses with commas), fastly:SERVICE_ID or cloudflare:ZONE_ID';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});
