import { contentTypes } from '../../shared/content/content-types.ts';
import type { TypeDescription } from '../../shared/content/descriptions.ts';
import type { RichNode, RichText } from '../../shared/content/rich-text.ts';
import type { PagePayload } from '../../shared/payload/payload.ts';
import { MARK, markOf, type PreviewNotes } from '../../shared/payload/preview-notes.ts';
import { siteTypes } from '../../site/types.ts';
import type { ContentProblem, DecodeContext, NoteField } from '../wire/decode-context.ts';
import { descriptionOf, namedTypes, servedType } from '../wire/described-types.ts';
import { entryOf, isObject, rowsOf } from '../wire/wire.ts';

const MAX_PROBLEMS = 50;

type Row = Readonly<Record<string, unknown>>;
type Place = Pick<DecodeContext, 'at' | 'within'>;

const TYPES = Object.fromEntries(
  Object.entries<TypeDescription>(contentTypes).map(([name, { path, storage }]) => [
    path ?? name,
    `${storage === 'single' ? 'single-types' : 'collection-types'}/api::${name}.${name}`,
  ]),
);

const WORDS = `${siteTypes.settings.path}:.labels`;

const DATES = Object.fromEntries(
  namedTypes.flatMap(([, { path, fields }]) => (fields.date?.kind === 'date' ? [[path, 'date']] : [])),
);

/** Remembers which field each text of a preview comes from, so that editors can find it (decision 205). */
export class FieldNotes {
  readonly #marks = new Map<string, string>();
  readonly #files = new Map<string, string>();
  readonly #entries = new Map<string, Row>();
  readonly #unknown = new Set<string>();
  readonly #problems = new Map<string, readonly ContentProblem[]>();

  readonly onProblems = (source: string, problems: readonly ContentProblem[]): void => {
    this.#problems.set(source, problems);
  };

  /** Keeps the whole row of an entry. @param path the path of its type. */
  readonly onEntry = (path: string, body: unknown): void => {
    for (const row of rowsOf(body) ?? [body]) {
      const entry = entryOf(row);
      if (entry) this.#entries.set(`${path}:${entry.id}`, flat(entry.attributes) as Row);
    }
  };

  /** Receives the key of content that is shown as it is now, because its past is not known. */
  readonly onUnknown = (key: string): void => void this.#unknown.add(key);

  get unknown(): number {
    return this.#unknown.size;
  }

  /** Marks a text at its end, and each block of a rich text by an attribute. Remembers addresses of files. */
  readonly note: NoteField = <T>(kind: Parameters<NoteField>[0], value: T, place: Place): T => {
    const field = fieldOf(place);
    if (field === null || value === null) return value;
    if (kind === 'file') {
      if (!this.#files.has(String(value))) this.#files.set(String(value), field);
      return value;
    }
    // The casts are safe: a text becomes a longer text, and a tree another tree.
    if (kind === 'rich-text') return (value as RichText).map(node => withField(node, field)) as T;
    let mark = this.#marks.get(field);
    if (mark === undefined) {
      mark = markOf(this.#marks.size);
      this.#marks.set(field, mark);
    }
    return `${value}${mark}` as T;
  };

  /** @returns the payload with its fields, and the entries if they are asked for. Its head has no marks. */
  addTo(payload: PagePayload, withEntries: boolean): PagePayload {
    const json = JSON.stringify(payload.data);
    const marks = new Set(json.match(MARK));
    const fields = Object.fromEntries([
      ...[...this.#marks].flatMap(([field, mark]) => (marks.has(mark) ? [[mark, field]] : [])),
      ...[...this.#files].filter(([address]) => json.includes(JSON.stringify(address))),
    ]);
    // The cast is safe: only marks inside texts are removed.
    const head = JSON.parse(JSON.stringify(payload.head).replace(MARK, '')) as PagePayload['head'];
    return {
      ...payload,
      head,
      preview: {
        ...{ fields, types: TYPES, dates: DATES, words: WORDS, problems: this.#found() },
        ...(withEntries ? { entries: Object.fromEntries(this.#entries) } : {}),
      },
    };
  }

  #found(): PreviewNotes['problems'] {
    const found = [...this.#problems.values()]
      .flat()
      .map(at => ({ field: fieldOf({ at }), reason: at.reason }));
    const unique = new Map(found.map(problem => [JSON.stringify(problem), problem]));
    return [...unique.values()].slice(0, MAX_PROBLEMS);
  }
}

/** @returns the field by its name in Strapi's panel, such as `articles:42.questions.0.answer`. */
function fieldOf({ at, within }: Place): string | null {
  if (at.field === null) return null;
  const field = at.field.replaceAll(/\[(\d+)\]/g, '.$1');
  const [path = '', inside] = at.type.split('.');
  if (inside === undefined) return `${path}:${at.id ?? ''}.${field}`;
  // `inside` is the field that contains the row, such as `author` in `articles.author`.
  const described = servedType(path)?.fields[inside];
  if (described?.kind === 'relation') {
    const owner = descriptionOf(described.target).path ?? described.target;
    return `${owner}:${at.id ?? ''}.${field}`;
  }
  const parent = within ? fieldOf({ at: within }) : null;
  return parent && `${parent}.${field}`;
}

/** @returns a value as Strapi 5 has it, without `data` and `attributes` around parts. */
function flat(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(flat);
  if (!isObject(value)) return value;
  const { data, attributes, ...others } = value;
  if (data !== undefined && Object.keys(value).length === 1) return flat(data);
  const parts = isObject(attributes) ? { ...others, ...attributes } : value;
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, flat(part)]));
}

/** Elements that a component renders without their attributes. So their children get the mark. */
const VIEWS: ReadonlySet<string> = new Set(['aside', 'oembed']);

function withField(node: RichNode, field: string): RichNode {
  if (typeof node === 'string') return node;
  const [tag, attributes, children] = node;
  if (VIEWS.has(tag)) return [tag, attributes, children.map(child => withField(child, field))];
  return [tag, { ...attributes, 'data-field': field }, children];
}
