/**
 * A tag names a piece of content, with or without a version: `articles:42.card#Xb0e`. Names form a tree:
 * `articles:42.card` is below `articles:42`, and both are below `articles`.
 */

const VERSION_SEPARATOR = '#';
const LEVEL_SEPARATORS = '.:=@/';

function isLevelAt(name: string, at: number): boolean {
  return at < name.length && LEVEL_SEPARATORS.includes(name.charAt(at));
}

interface ParsedTag {
  name: string;
  /** A digest of the content; null for a tag without a version. */
  version: string | null;
}

export function versionedTag(name: string, version: string): string {
  return name + VERSION_SEPARATOR + version;
}

export function parseTag(tag: string): ParsedTag {
  const at = tag.lastIndexOf(VERSION_SEPARATOR);
  return at < 0 ? { name: tag, version: null } : { name: tag.slice(0, at), version: tag.slice(at + 1) };
}

export function isBelow(name: string, above: string): boolean {
  return name.startsWith(above) && isLevelAt(name, above.length);
}

export function isType(tag: string): boolean {
  return !tag.includes(VERSION_SEPARATOR) && namesAbove(tag).length === 0;
}

/** @returns whether a tag's name is `name` or below it, in any version. */
export function names(tag: string, name: string): boolean {
  return (
    tag.startsWith(name) &&
    (tag.length === name.length ||
      tag.charAt(name.length) === VERSION_SEPARATOR ||
      isLevelAt(tag, name.length))
  );
}

export function namesAbove(name: string): string[] {
  const names: string[] = [];
  for (let end = name.length - 1; end > 0; end -= 1) if (isLevelAt(name, end)) names.push(name.slice(0, end));
  return names;
}

/** @returns the part before the third separator; the name itself if it has two separators; null for fewer. */
export function beforeThirdLevel(name: string): string | null {
  let found = 0;
  for (let at = 0; at < name.length; at += 1) {
    if (!isLevelAt(name, at)) continue;
    found += 1;
    if (found === 3) return name.slice(0, at);
  }
  return found === 2 ? name : null;
}
