import path from 'node:path';
import { create } from 'content-disposition';
import { extension as extensionOf, lookup } from 'mime-types';
import { UNPRINTABLE } from '../ops/unprintable.ts';

/** Characters that a file system of a visitor refuses or reads as part of a path. */
const NOT_IN_NAMES = /["*/:<>?\\|]/g;
/** The longest name in characters. File systems allow 255 bytes, and a character has up to four in UTF-8. */
const LONGEST_NAME = 60;

/**
 * Makes the header of a download (RFC 6266, with names outside of ASCII as in RFC 8187). The name is the last part of the address, without what
 * could mislead a visitor or a file system: hidden direction marks, path separators, a leading dot, an extension of another type.
 *
 * @param address a path that can be decoded, such as `/uploads/price%20list.pdf`.
 * @param type the type of the file as told from its bytes.
 * @returns the value of `Content-Disposition`.
 */
export function attachment(address: string, type: string): string {
  const segment = decodeURIComponent(address.slice(address.lastIndexOf('/') + 1));
  const name = segment
    .replace(UNPRINTABLE, '')
    .replace(NOT_IN_NAMES, '-')
    .replace(/^[.\s]+/, '');
  const extension = path.extname(name);
  const isOfType = lookup(extension) === type;
  const stem = [...(isOfType ? name.slice(0, -extension.length) : name)].slice(0, LONGEST_NAME).join('');
  return create(`${stem || 'file'}${isOfType ? extension : `.${extensionOf(type) || 'bin'}`}`);
}
