import { safeHref } from '../safe-address.ts';
import { type DecodeContext, isGiven, lose, quoted } from './decode-context.ts';

/**
 * @param effect what visitors see without the address, for the log, such as `the partner is shown without a link`.
 * @returns the address of a link; null for none. A refused address is reported.
 */
export function hrefAt(value: unknown, context: DecodeContext, effect: string): string | null {
  const href = safeHref(value);
  // An address of the CMS becomes one of the site.
  const file = href && !href.startsWith('/') ? context.mediaAddress(href) : null;
  if (href === null && isGiven(value)) lose(context, 'address-refused', `${refusedLink(value)}: ${effect}`);
  return href && context.withVersion(file?.startsWith('/uploads/') ? file : href);
}

/**
 * @param changedAt when the file was last changed after its upload, if the content says so.
 * @returns the address of a medium, with its version; null for none. A refused address is reported.
 */
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

/** @returns the reason for a link whose address was refused, without the effect. */
export function refusedLink(value: unknown): string {
  return `${quoted(value)} is no address for a link (https, http, mailto, tel, or a path that begins with /)`;
}

/** @returns the reason for a medium whose address was refused, without the effect. */
export function refusedMedium(value: unknown): string {
  return `${quoted(value)} is no address for a file (of the CMS, or of an origin in MEDIA_ORIGINS)`;
}
