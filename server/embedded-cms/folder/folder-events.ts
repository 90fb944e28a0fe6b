import { contentType } from '../content-types.ts';
import { withNamedTags } from '../named-entries.ts';
import { isDraft, type SourcedEntry } from '../read-content.ts';
import { stableId } from '../stable-id.ts';

/** A change of the content folder in the format of a Strapi webhook. */
export interface FolderEvent {
  event: 'entry.create' | 'entry.update' | 'entry.delete' | 'media.create' | 'media.update' | 'media.delete';
  /** The model; absent for a file of `uploads/`. */
  model?: string;
  entry?: { id: number; documentId: string; slug: string | null };
  media?: { url: string };
}

export interface FolderState {
  readonly entries: ReadonlyMap<string, { readonly value: readonly SourcedEntry[] }>;
  readonly media: ReadonlyMap<string, { readonly version: string }>;
}

/** Lists the events between two states of the folder. A draft counts as missing. */
export function eventsBetween(before: FolderState, after: FolderState): FolderEvent[] {
  const files = changedFiles(before.media, after.media);
  const events = files.map(
    ({ file, kind }): FolderEvent => ({ event: `media.${kind}`, media: { url: `/${file}` } }),
  );
  // Compare the entry's pictures too: responses contain their sizes and omit missing pictures.
  const names = files.map(({ file }) => file.slice('uploads/'.length));
  const [old, current] = [publishedEntries(before), publishedEntries(after)];
  for (const [key, entry] of current) {
    const known = old.get(key);
    if (known?.text === entry.text && !names.some(name => entry.text.includes(name))) continue;
    events.push(eventOf(known ? 'entry.update' : 'entry.create', entry.of));
  }
  for (const [key, entry] of old) if (!current.has(key)) events.push(eventOf('entry.delete', entry.of));
  return events;
}

function changedFiles(
  before: FolderState['media'],
  after: FolderState['media'],
): { file: string; kind: 'create' | 'update' | 'delete' }[] {
  const files = [...new Set([...before.keys(), ...after.keys()])];
  return files.flatMap(file => {
    const [old, current] = [before.get(file), after.get(file)];
    if (old?.version === current?.version) return [];
    return [{ file, kind: old && current ? 'update' : current ? 'create' : 'delete' } as const];
  });
}

function publishedEntries({ entries }: FolderState) {
  const published = new Map<string, { of: SourcedEntry; text: string }>();
  const files = [...entries.values()];
  const places = new Map(files.flatMap(({ value }) => value.map((entry, index) => [entry, index] as const)));
  for (const entry of withNamedTags([...places.keys()])) {
    const { source, name, values, mtimeMs } = entry;
    if (isDraft(entry)) continue;
    // Compare the file's time, which replaces missing dates. Rows of a list have a position instead.
    const place = source.kind === 'folder' ? mtimeMs : (places.get(entry) ?? null);
    published.set(`${source.route} ${name}`, { of: entry, text: JSON.stringify([place, values]) });
  }
  return published;
}

function eventOf(event: FolderEvent['event'], { source, name, values }: SourcedEntry): FolderEvent {
  const hasSlug = contentType(source.type).attributes.includes('slug');
  const ownName = source.kind === 'folder' ? name : null;
  const slug = typeof values.slug === 'string' ? values.slug : ownName;
  return {
    event,
    model: source.type,
    entry: { ...stableId(source.type, name), slug: hasSlug ? slug : null },
  };
}
