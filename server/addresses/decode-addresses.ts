import { type DecodeContext, isGiven, lose, quoted } from '../wire/decode-context.ts';
import { safeHref } from './safe-address.ts';

/** Decodes a link's address. Logs a refused address with its `effect`, such as `the partner has no link`. */
export function hrefAt(value: unknown, context: DecodeContext, effect: string): string | null {
  const href = safeHref(value);
  // Link to a file of the CMS by its path below `/uploads/`: pages never contain the CMS's address.
  const file = href && !href.startsWith('/') ? context.mediaAddress(href) : null;
  if (href === null && isGiven(value)) lose(context, 'address-refused', `${refusedLink(value)}: ${effect}`);
  return href && context.withVersion(file?.startsWith('/uploads/') ? file : href);
}

/** Decodes the address of a media file. @param changedAt the file's last change after the upload. */
export function mediumAt(
  value: unknown,
  context: DecodeContext,
  changedAt: string | null = null,
): string | null {
  const address = context.mediaAddress(value);
  if (address === null && isGiven(value))
    lose(context, 'address-refused', `${refusedMedium(value)}: the file is not shown`);
  return address && context.withVersion(address, changedAt);
}

export function refusedLink(value: unknown): string {
  return `${quoted(value)} is no address for a link (https, http, mailto, tel, or a path that begins with /)`;
}

export function refusedMedium(value: unknown): string {
  return `${quoted(value)} is no address for a file (of the CMS, or of an origin in MEDIA_ORIGINS)`;
}
