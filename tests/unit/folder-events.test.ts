import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contentSources } from '../../server/embedded-cms/content-types.ts';
import { eventsBetween, type FolderState } from '../../server/embedded-cms/folder/folder-events.ts';
import type { SourcedEntry } from '../../server/embedded-cms/read-content.ts';
import { stableId } from '../../server/embedded-cms/stable-id.ts';

const pages = contentSources.find(({ type }) => type === 'page');
if (!pages) throw new Error('There is no source of pages');

interface File {
  title: string;
  draft: boolean;
  mtimeMs: number;
}
/** Pages of a folder, by file name. */
type Pages = Readonly<Record<string, File>>;

const folder = (files: Pages, uploads: Readonly<Record<string, string>> = {}): FolderState => ({
  entries: new Map(
    Object.entries(files).map(([name, { title, draft, mtimeMs }]) => {
      const file = `pages/${name}.md`;
      const entry: SourcedEntry = { name, values: { title, draft }, source: pages, file, mtimeMs };
      return [file, { value: [entry] }];
    }),
  ),
  media: new Map(Object.entries(uploads).map(([name, version]) => [`uploads/${name}`, { version }])),
});

const anyPages: fc.Arbitrary<Pages> = fc.dictionary(
  fc.constantFrom('about', 'Über-Uns', 'AboutUs', 'terms'),
  fc.record({
    title: fc.constantFrom('a', 'b', 'a picture.svg'),
    draft: fc.boolean(),
    mtimeMs: fc.constantFrom(1, 2),
  }),
  { noNullPrototype: true },
);

it('each added, changed or removed published page causes one event, and nothing else does', () => {
  fc.assert(
    fc.property(anyPages, anyPages, (before, after) => {
      const kindOf = (name: string) => {
        const [old, current] = [before[name], after[name]].map(file => (file && !file.draft ? file : null));
        if (!old && !current) return [];
        const kind = !old ? 'create' : !current ? 'delete' : 'update';
        const isSame = old && current && old.title === current.title && old.mtimeMs === current.mtimeMs;
        return isSame
          ? []
          : [{ event: `entry.${kind}`, model: 'page', entry: { ...stableId('page', name), slug: name } }];
      };
      const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
      const events = eventsBetween(folder(before), folder(after));
      expect(events).toHaveLength(names.flatMap(kindOf).length);
      expect(events).toEqual(expect.arrayContaining(names.flatMap(kindOf)));
    }),
  );
});

it('a changed upload causes one event, and one for each entry that names the file', () => {
  const files = {
    about: { title: 'a picture.svg', draft: false, mtimeMs: 1 },
    terms: { title: 'b', draft: false, mtimeMs: 1 },
  };
  for (const [before, after, kind] of [
    [{}, { 'picture.svg': '1' }, 'create'],
    [{ 'picture.svg': '1' }, { 'picture.svg': '2' }, 'update'],
    [{ 'picture.svg': '1' }, {}, 'delete'],
  ] as const)
    expect(eventsBetween(folder(files, before), folder(files, after))).toEqual([
      { event: `media.${kind}`, media: { url: '/uploads/picture.svg' } },
      { event: 'entry.update', model: 'page', entry: { ...stableId('page', 'about'), slug: 'about' } },
    ]);
});
