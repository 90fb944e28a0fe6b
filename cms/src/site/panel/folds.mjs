import { useForm } from '@strapi/strapi/admin';
import { createElement, useEffect, useState } from 'react';
import types from '../types.json';
import { useWantedField } from './fields.mjs';
import { PLAIN, word } from './widget.mjs';

/**
 * Folds the groups of a type below its form. A field that an administrator has moved up stays there.
 * @param panels the rows of the form, in panels
 */
export function withFolds(panels, displayName) {
  const { groups = [] } = types.find(({ label }) => label === displayName) ?? {};
  const rows = panels.flat();
  const groupOf = ({ name }) => groups.find(({ fields }) => fields.includes(name));
  const first = rows.findLastIndex(row => !row.every(groupOf)) + 1;
  const plain = rows.flat().find(({ type }) => type === 'string' || type === 'text');
  if (first === rows.length || !plain) return panels;
  const folded = Map.groupBy(rows.slice(first), ([field]) => groupOf(field));
  const left = panels.map(panel => panel.filter(row => !rows.slice(first).includes(row)));
  const folds = [...folded].map(([{ label }, own]) => [
    // The name of a plain field, because Strapi asks whether the person may read it.
    [
      {
        ...plain,
        type: 'site-fold',
        attribute: { type: 'string' },
        label: word(label),
        size: 12,
        folded: own.flat().map(({ name }) => name),
      },
    ],
    ...own,
  ]);
  return [...left.filter(panel => panel.length > 0), ...folds];
}

/** The rows beside a closed fold are out of sight and out of the reach of the keyboard. */
const CLOSED = `div:has(> div > [data-site-fold][aria-expanded='false']) ~ div { display: none; }`;
const LOOK = { ...PLAIN, fontWeight: 600, width: '100%' };

/** The head of a folded group. It opens when a field of the group has an error, or is in the address. */
export function Fold({ label, folded }) {
  const [isOpen, setOpen] = useState(false);
  const [wanted] = useWantedField()?.split('.') ?? [];
  useEffect(() => {
    if (folded.includes(wanted)) setOpen(true);
  }, [folded, wanted]);
  const hasError = useForm('Fold', ({ errors }) => folded.some(name => errors?.[name]));
  const open = isOpen || hasError;
  return [
    createElement('style', { key: 'style' }, CLOSED),
    createElement(
      'button',
      {
        key: 'head',
        type: 'button',
        'aria-expanded': open,
        'data-site-fold': '',
        onClick: () => setOpen(!open),
        style: LOOK,
      },
      `${open ? '▾' : '▸'} ${label}`,
    ),
  ];
}
