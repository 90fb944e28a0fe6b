import { useFetchClient } from '@strapi/strapi/admin';
import { useEffect, useState } from 'react';
import words from './words.json';

export const TEXT = { fontSize: '1.4rem', lineHeight: 1.5 };
export const LINK = { color: 'var(--strapi-primary-600, #4945ff)' };
export const PLAIN = {
  ...TEXT,
  fontFamily: 'inherit',
  color: 'inherit',
  background: 'none',
  border: 0,
  padding: 0,
  cursor: 'pointer',
  textAlign: 'start',
};
export const LIST = { ...TEXT, margin: '4px 0 12px', paddingInlineStart: '20px', listStyle: 'disc' };

/** Words of an administrator stay. */
export function word(text) {
  return words[document.documentElement.lang.split('-', 1)[0]]?.[text] ?? text;
}

/** The panel's own words are the keys of Strapi's translations. */
export const named = text => ({ id: text, defaultMessage: text });

/** @returns what the CMS answers below `/site`; null until then. `missing` says why there is no answer. */
export function useAnswer(path) {
  const { get } = useFetchClient();
  const [found, setFound] = useState(null);
  useEffect(() => {
    get(`/site/${path}`).then(
      ({ data }) => setFound(data),
      () => setFound({ missing: 'site' }),
    );
  }, [get, path]);
  return found;
}

/** @returns the address of an entry's form, also of a panel below another path; null for what is no entry. */
export function addressOf({ model, isSingle, id }) {
  const base = location.pathname.split('/content-manager', 1)[0].replace(/\/$/, '');
  if (model === null || (id === null && !isSingle)) return null;
  const kind = isSingle ? 'single-types' : 'collection-types';
  return `${base}/content-manager/${kind}/api::${model}.${model}${isSingle ? '' : `/${id}`}`;
}
