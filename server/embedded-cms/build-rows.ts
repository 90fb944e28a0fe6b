import { zoneComponent, zoneComponents } from '../../shared/content/zone-kinds.ts';
import { inOrder, isObject } from '../wire/wire.ts';
import {
  type ContentType,
  contentSources,
  contentType,
  isJsonComponent,
  type Json,
  type JsonRecord,
  type LinkDefinition,
  type Row,
} from './content-types.ts';
import { entryNamed, withNamedTags } from './named-entries.ts';
import {
  entryDates,
  isDraft,
  namedRows,
  type RawEntry,
  type SourcedEntry,
  uploadOf,
} from './read-content.ts';
import { stableId } from './stable-id.ts';

export type Snapshot = ReadonlyMap<string, readonly Row[]>;

export type Warn = (message: string, details: Record<string, unknown>) => void;

const CONTROL_KEYS = ['draft', 'order'];

/** A file of `content/uploads` with the attributes of a Strapi media object. */
export interface MediaFile {
  id: number;
  documentId: string;
  attributes: JsonRecord;
}

interface Context {
  entries: readonly SourcedEntry[];
  media: ReadonlyMap<string, MediaFile>;
  warn: Warn;
  withDrafts: boolean;
}

interface FileContext extends Context {
  origin: SourcedEntry;
}

/** Builds rows with relations, media and components. Skips links that cannot be resolved. */
export function buildSnapshot(context: Context): Snapshot {
  const shown = withNamedTags(context.entries)
    .filter(entry => context.withDrafts || !isDraft(entry))
    .toSorted(byOrder);
  return new Map(
    contentSources.map(source => [
      source.route,
      shown
        .filter(entry => entry.source === source)
        .map(entry =>
          buildRow(contentType(source.type), entry, { ...context, entries: shown, origin: entry }),
        ),
    ]),
  );
}

function byOrder(a: SourcedEntry, b: SourcedEntry): number {
  const rank = (entry: SourcedEntry) => (typeof entry.values.order === 'number' ? entry.values.order : 1e9);
  return rank(a) - rank(b) || inOrder(a.file, b.file);
}

function buildRow(type: ContentType, raw: RawEntry, context: FileContext): Row {
  const { origin } = context;
  const given: JsonRecord = { ...raw.values };
  // Use the file's name as the slug. A row of a list gets none: the site makes one from its name.
  if (type.attributes.includes('slug') && origin.source.kind === 'folder') given.slug ??= raw.name;
  const dates = type.component ? {} : entryDates(given, origin.mtimeMs);
  // Mark a draft as never published, as Strapi does.
  if (isDraft(raw)) dates.publishedAt = null;
  const named = type.attributes.map(key => [key, given[key] ?? null] as const);
  const attributes = {
    ...Object.fromEntries(named),
    ...undescribedAttributes(type, given, context),
    ...dates,
  };
  const links = Object.entries(type.links).flatMap(([key, link]) => {
    const value = given[key] ?? null;
    const rows = (link.orJson ? jsonRows : resolveLink)(key, link, value, context);
    return rows ? [[key, rows] as const] : [];
  });
  return { type, ...stableId(type.name, raw.name), attributes, links: Object.fromEntries(links) };
}

/** Keeps keys of a single type that its description lacks. Warns of them in a collection, as of typos. */
function undescribedAttributes(type: ContentType, given: JsonRecord, context: FileContext): JsonRecord {
  const { origin } = context;
  const known = [...type.attributes, ...Object.keys(type.links), ...CONTROL_KEYS];
  const unknown = Object.entries(given).filter(([key]) => !known.includes(key));
  const isSingle = origin.source.kind === 'single' && origin.source.type === type.name;
  // Keep unknown keys of JSON, because the site reports them.
  if (isSingle || isJsonComponent(type.name)) return Object.fromEntries(unknown);
  for (const [key] of unknown) context.warn('Unknown key in a content file', { file: origin.file, key });
  return {};
}

function resolveLink(key: string, link: LinkDefinition, value: Json, context: FileContext): readonly Row[] {
  const values = Array.isArray(value) ? value : value === null || value === '' ? [] : [value];
  const isMissing = (what: string, item: Json, reason?: string): Row[] => {
    context.warn(`A content file names ${what} that is not there`, {
      ...{ file: context.origin.file, key, value: typeof item === 'object' ? JSON.stringify(item) : item },
      ...(reason === undefined ? {} : { reason }),
    });
    return [];
  };
  const rows = values.flatMap(item => {
    if (link.kind === 'zone')
      return sectionRow(item, context) ?? isMissing('a kind of section', kindOfSection(item), KINDS);
    if (link.kind === 'media') return mediaRow(key, item, context) ?? isMissing('an upload', item);
    if (isObject(item)) return inlineRow(link.target, item, context) ?? isMissing('a row', item);
    const isList = Array.isArray(value) && typeof item === 'string';
    const form =
      link.many && !isList ? `'${key}' wants a list of names, such as [One name, Another]` : undefined;
    return relatedRow(link.target, item, context) ?? isMissing('an entry', item, form);
  });
  return link.many ? rows : rows.slice(0, 1);
}

/**
 * Makes rows from JSON in a file. A text in a list becomes the first field of a component.
 * @returns null for a value that is sent unchanged, such as an external address in place of an upload.
 */
function jsonRows(
  key: string,
  { kind, many, target }: LinkDefinition,
  value: Json,
  context: FileContext,
): readonly Row[] | null {
  if (value === null || value === '') return [];
  if (many !== Array.isArray(value)) return null;
  const [first = ''] = contentType(target).attributes;
  const rows = [value].flat().map(item => {
    if (kind === 'media') return mediaRow(key, item, context);
    const component = many && typeof item === 'string' ? { [first]: item } : item;
    return isObject(component) ? inlineRow(target, component, context) : null;
  });
  return rows.includes(null) ? null : rows.filter(row => row !== null);
}

function mediaRow(key: string, value: Json, context: FileContext): Row | null {
  const { name, picture, unknown, ...texts } = uploadOf(value);
  const found = context.media.get(name);
  if (!found) return null;
  for (const [name, text] of Object.entries(unknown))
    context.warn('Unknown key in a content file', {
      ...{ file: context.origin.file, key: `${key}: ${name}` },
      // In YAML a comma ends a value, so `{ caption: one, two }` has a key `two`.
      ...(text === null ? { reason: 'a text with a comma needs quotation marks' } : {}),
    });
  const url = picture ? { url: `${found.attributes.url}#${picture}` } : {};
  const attributes = { ...found.attributes, ...url, ...texts };
  return { type: contentType('media'), ...found, attributes, links: {} };
}

/** Makes a row of a component, or of a related entry without a file, such as a country. */
function inlineRow(target: string, value: Record<string, unknown>, context: FileContext): Row | null {
  const [raw] = namedRows([value]);
  return raw ? buildRow(contentType(target), raw, context) : null;
}

function sectionRow(value: Json, context: FileContext): Row | null {
  const { kind: _, ...values } = isObject(value) ? value : {};
  const name = zoneComponent(kindOfSection(value));
  return zoneComponents.some(known => known.name === name) ? inlineRow(name, values, context) : null;
}

const KINDS = `kinds are ${zoneComponents.map(({ name }) => name.replace(/-section$/, '')).join(', ')}`;

function kindOfSection(value: Json): string {
  return String(isObject(value) ? (value.kind ?? 'text') : 'text');
}

function relatedRow(target: string, value: Json, context: Context): Row | null {
  const found = entryNamed(context.entries, target, value);
  return found ? buildRow(contentType(target), found, { ...context, origin: found }) : null;
}
