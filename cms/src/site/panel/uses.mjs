import { useFetchClient } from '@strapi/strapi/admin';
import { createElement, useEffect, useState } from 'react';

/** All rows of a list wait for one answer. */
let asked = { model: null, at: 0, answer: null };
const FRESH_MS = 5_000;

/** Shows how many entries name the entry of a row, or how often the site has followed a redirect. */
function Count({ id, documentId, model }) {
  const { get } = useFetchClient();
  const [count, setCount] = useState('');
  useEffect(() => {
    if (asked.model !== model || Date.now() - asked.at > FRESH_MS)
      asked = { model, at: Date.now(), answer: get(`/site/uses/${model}`) };
    asked.answer.then(
      ({ data }) => setCount(data[documentId] ?? data[id] ?? 0),
      () => setCount('–'),
    );
  }, [get, id, documentId, model]);
  return createElement('span', { style: { fontSize: '1.4rem' } }, count);
}

export const Uses = ({ id, documentId, statusCode }, _header, { model }) =>
  // The site stores its answers to addresses that are gone, so it does not count them.
  statusCode === 410 ? '–' : createElement(Count, { id, documentId, model });
