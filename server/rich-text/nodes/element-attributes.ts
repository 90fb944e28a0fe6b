import type { Element } from 'hast';
import { decodeUri } from '../../../shared/routing/decode-uri.ts';
import { isEntryLink } from '../../addresses/entry-links.ts';
import { type MediaPolicy, safeHref } from '../../addresses/safe-address.ts';
import { isScaled } from '../../wire/is-scaled.ts';
import { wellFormed } from './node-texts.ts';

export interface AttributeTools {
  media: MediaPolicy;
  /** The final id for each id of the source, for links inside the text. */
  aliases: ReadonlyMap<string, string>;
}

export type Attributes = Record<string, string | number | boolean>;

export function emptyToNull(attributes: Attributes): Attributes | null {
  return Object.keys(attributes).length === 0 ? null : attributes;
}

const FILES: ReadonlySet<string> = new Set(['video', 'audio', 'track']);
/** The names of data attributes in React, by their names in hast. */
const DATA: Readonly<Record<string, string>> = { dataTone: 'data-tone', dataGallery: 'data-gallery' };

/** @returns attributes by React's names; null for a picture or file with a refused address. */
export function attributesOf(element: Element, tools: AttributeTools): Attributes | null {
  const { href, src, className, ariaLabel, ...others } = element.properties;
  const attributes: Attributes = {};
  for (const [name, value] of Object.entries(others)) {
    const key = DATA[name] ?? name;
    if (typeof value === 'string') attributes[key] = wellFormed(value);
    else if (typeof value === 'number' || value === true) attributes[key] = value;
  }
  if (typeof ariaLabel === 'string') attributes['aria-label'] = wellFormed(ariaLabel);
  if (Array.isArray(className) && className.length > 0) attributes.className = className.join(' ');

  if (element.tagName === 'a') {
    const address = linkAddress(href, tools);
    if (address !== null) attributes.href = address;
    if (address !== null && /^https?:/.test(address)) attributes.rel = 'noopener noreferrer';
  }
  if (element.tagName === 'img') {
    const address = tools.media.mediaAddress(src);
    if (address === null) return null;
    const { alt = '', width, height } = attributes;
    const scaled = isScaled(address, pixels(width), pixels(height)) ? { scaled: true } : {};
    return { ...attributes, src: address, alt, ...scaled };
  }
  if (FILES.has(element.tagName)) {
    const address = tools.media.mediaAddress(src);
    const { poster, ...rest } = attributes;
    const preview = tools.media.mediaAddress(poster);
    return address === null ? null : { ...rest, src: address, ...(preview ? { poster: preview } : {}) };
  }
  if (element.tagName === 'input') {
    return {
      ...attributes,
      type: 'checkbox',
      disabled: true,
      'aria-label': attributes.checked ? 'Done' : 'To do',
    };
  }
  return attributes;
}

function pixels(value: Attributes[string] | undefined): number | null {
  return Number(value) || null;
}

function linkAddress(href: unknown, { media, aliases }: AttributeTools): string | null {
  if (isEntryLink(href)) return href;
  const address = safeHref(href);
  if (address?.startsWith('#')) {
    const fragment = address.slice(1);
    const id = decodeUri(fragment) ?? fragment;
    const target = aliases.get(id) ?? aliases.get(id.toLowerCase());
    return target === undefined ? address : safeHref(`#${target}`);
  }
  if (address?.startsWith('/')) return address;
  // Turn a link to a backend's file into a link to `/uploads/` of this site.
  const upload = media.mediaAddress(href);
  return upload?.startsWith('/uploads/') ? upload : address;
}
