import {
  unstable_useDocumentActions as useDocumentActions,
  useFetchClient,
  useStrapiApp,
} from '@strapi/strapi/admin';
import { createElement, useState } from 'react';

/** Entries of the site. A preview may ask for no others. */
const PLACE = /^(?:collection|single)-types\/api::[\w-]+\.[\w-]+$/;
const ID = /^\w*$/;

/** Answers a preview that edits fields, with the permissions of the person (decision 208). */
export function useEdits() {
  const { get } = useFetchClient();
  const { update } = useDocumentActions();
  const Library = useStrapiApp('site-edits', ({ components }) => components['media-library']);
  const [asked, setAsked] = useState(null);

  const entryAt = async ({ place, id }) =>
    (await get(`/content-manager/${place}${id ? `/${id}` : ''}`)).data.data;
  /** Saves what `dataOf` makes of the entry, unless somebody else has saved since. */
  const saving = dataOf => async call => {
    const entry = await entryAt(call);
    if (entry.updatedAt !== call.updatedAt) return { ...stateOf(entry, call), isChanged: true };
    const [collectionType, model] = call.place.split('/');
    const saved = await update({ collectionType, model, documentId: call.id }, dataOf(entry, call));
    return saved.error ? { refused: saved.error.message } : stateOf(saved.data, call);
  };
  const answers = {
    read: async call => stateOf(await entryAt(call), call),
    save: saving((entry, { name, value }) => {
      const [top, ...rest] = name.split('.');
      return { [top]: sendable(changed(entry[top], rest, value)) };
    }),
    restore: saving((entry, { value }) => former(value, entry)),
    choose: () => new Promise(resolve => setAsked({ resolve })),
  };
  const choose = file => {
    asked.resolve({ value: file?.id ?? null });
    setAsked(null);
  };
  const library =
    asked &&
    createElement(Library, {
      allowedTypes: ['images'],
      multiple: false,
      onClose: () => choose(null),
      onSelectAssets: ([file]) => choose(file),
    });
  const ofSite = Object.entries(answers).map(([ask, answer]) => [ask, forSite(answer)]);
  return { answers: Object.fromEntries(ofSite), library };
}

const forSite = answer => async call => {
  if (!PLACE.test(call.place) || !ID.test(call.id)) return { refused: 'No entry of the site' };
  try {
    return await answer(call);
  } catch (error) {
    return { refused: error.message };
  }
};

function stateOf(entry, { name }) {
  const { updatedAt, updatedBy, status } = entry;
  const by = [updatedBy?.firstname, updatedBy?.lastname].filter(Boolean).join(' ');
  const value = name.split('.').reduce((at, key) => at?.[key], entry);
  return { value, updatedAt, by, hasDrafts: status !== undefined };
}

function changed(value, [key, ...rest], wanted) {
  if (key === undefined) return wanted;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[key] = changed(copy[key], rest, wanted);
  return copy;
}

/** Leaves out the number of a row's relations, which stay. */
function sendable(value) {
  if (Array.isArray(value)) return value.map(sendable);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([, part]) => !isCount(part));
  return Object.fromEntries(kept.map(([key, part]) => [key, sendable(part)]));
}

/** Former values as the panel's forms send them, without fields that the entry lacks now. */
function former(values, entry) {
  const known = Object.entries(values).filter(([name]) => Object.hasOwn(entry, name));
  return Object.fromEntries(
    known.map(([name, value]) => [name, isCount(entry[name]) ? related([value ?? []].flat()) : sent(value)]),
  );
}

/** An answer of the API as forms send it: rows get new ids, files and relations are named by id. */
function sent(value) {
  if (value === null || typeof value !== 'object') return value;
  if ('mime' in value) return value.id;
  const rows = [value].flat();
  if (rows.length > 0 && rows.every(row => row?.documentId && !row.mime)) return related(rows);
  if (Array.isArray(value)) return value.map(sent);
  const { id: _, ...others } = value;
  return Object.fromEntries(Object.entries(others).map(([key, part]) => [key, sent(part)]));
}

const related = rows => ({ set: rows.map(({ id, documentId }) => ({ id, documentId })) });

function isCount(value) {
  return value !== null && typeof value === 'object' && Object.keys(value).join() === 'count';
}
