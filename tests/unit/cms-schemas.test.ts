import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { generatedFiles, staleFiles } from '../../build/cms/write-schemas.ts';
import { panelDe } from '../../site/words/panel-de.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
/** Folders with files written by hand, for CMS types that the site does not read. */
const BY_HAND = ['cms/src/api/message/'];

const PANEL = ['panel', 'inbox', 'problems', 'ready', 'text-tools'].map(name => `panel/${name}.mjs`);

interface PanelType {
  name: string;
  label: string;
  labels: Record<string, { label: string; hint?: string }>;
  hidden?: string[];
  form?: string[][];
  groups?: { label: string; fields: string[] }[];
  list?: string[];
}

// Safe: the file has the format of `types.json`.
const { messageType } = createRequire(import.meta.url)('../../cms/src/site/forms/message-type.js') as {
  messageType: PanelType;
};
const generated = await generatedFiles();
// Safe: `build/cms/schemas.ts` writes the file in this format.
const TYPES = JSON.parse(generated.get('cms/src/site/types.json') ?? '[]') as PanelType[];

function filesBelow(folder: string): string[] {
  return readdirSync(path.join(projectRoot, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry =>
      path.relative(projectRoot, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'),
    )
    .filter(file => !BY_HAND.some(byHand => file.startsWith(byHand)));
}

describe('the types of the CMS', () => {
  it('the CMS files equal those generated from the type descriptions (npm run check writes them)', async () => {
    expect([...(await staleFiles()).keys()]).toEqual([]);
  });

  it('each file in the folders of CMS types is generated from a description', () => {
    const found = ['cms/src/api', 'cms/src/components'].flatMap(filesBelow);
    expect(found.filter(file => !generated.has(file))).toEqual([]);
    expect(found.length).toBeGreaterThan(40);
  });

  it('each text that editors read has a German translation, and no translation is unused', () => {
    const shown = new Set(wordsOfPanel());
    expect([...shown].filter(word => !panelDe[word])).toEqual([]);
    expect(Object.keys(panelDe).filter(word => !shown.has(word))).toEqual([]);
  });

  it('a type’s forms, groups and lists use existing fields, and a form has each field once', () => {
    for (const { name, labels, hidden = [], form, groups = [], list = [] } of TYPES) {
      const placed = [...(form ?? []).flat(), ...groups.flatMap(({ fields }) => fields), ...hidden];
      if (form) expect([name, placed.toSorted()]).toEqual([name, Object.keys(labels).toSorted()]);
      const known = [...Object.keys(labels), 'updatedAt'];
      expect([name, list.filter(field => !known.includes(field))]).toEqual([name, []]);
    }
    expect(TYPES.filter(({ form }) => form).length).toBeGreaterThan(8);
  });
});

/** @returns the labels and hints of the descriptions, and the texts in the code of the panel. */
function wordsOfPanel(): string[] {
  const described = [...TYPES, messageType].flatMap(({ label, labels, groups = [] }) => [
    label,
    ...groups.map(group => group.label),
    ...Object.values(labels).flatMap(field => [field.label, ...(field.hint ? [field.hint] : [])]),
  ]);
  const code = ['documents/name-rows.js', ...PANEL].map(file =>
    readFileSync(path.join(projectRoot, 'cms/src/site', file), 'utf8'),
  );
  const own = [...code.join('').matchAll(/(?:word|named)\('([^']+)'\)/g)].map(match => match[1] ?? '');
  return [...described, ...own];
}
