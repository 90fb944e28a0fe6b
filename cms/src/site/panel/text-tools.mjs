import { Button, Field, Modal, SingleSelect, SingleSelectOption } from '@strapi/design-system';
import { useFetchClient, useStrapiApp } from '@strapi/strapi/admin';
import { createElement, useEffect, useState } from 'react';
import types from '../types.json';
import { LINK, LIST, PLAIN, TEXT, word } from './widget.mjs';

/** The types whose entries have pages. */
const PAGES = types
  .filter(({ storage, labels }) => storage === 'collection' && labels.slug)
  .map(type => ({ ...type, title: type.labels.title ? 'title' : 'name' }));
const MOST = 5;
/** The pause in typing before the CMS is asked, in ms. */
const PAUSE_MS = 200;
const LOOK = { ...PLAIN, ...LINK, marginInlineStart: '12px' };
/** A comment of Markdown. A text that begins with an element would be read as HTML. */
const COMMENT = '[//]: # (picture)';
const escaped = text => text.replace(/[[\]\\"]/g, '\\$&');

const button = (text, onClick, look = LOOK) =>
  createElement('button', { key: text, type: 'button', style: look, onClick }, text);

/** Adds links and pictures where the cursor of Strapi's editor of a text is. */
export function TextTools() {
  const [asked, setAsked] = useState(null);
  const begin = Dialog => event => {
    const editor = editorNear(event.currentTarget);
    if (editor.getOption('readOnly') === false) setAsked({ Dialog, editor });
  };
  const end = text => {
    if (text) asked.editor.replaceSelection(text);
    setAsked(null);
    asked.editor.focus();
  };
  return [
    button(word('Link to an entry'), begin(LinkToEntry)),
    button(word('Picture'), begin(PictureInText)),
    asked && createElement(asked.Dialog, { key: 'dialog', end, ...placeIn(asked.editor) }),
  ];
}

/** The box of Strapi's CodeMirror has it as a property. */
function editorNear(element) {
  return element.querySelector('.CodeMirror')?.CodeMirror ?? editorNear(element.parentElement);
}

function placeIn(editor) {
  const before = editor.getRange({ line: 0, ch: 0 }, editor.getCursor('from'));
  return { selected: editor.getSelection(), isFirst: before.trim() === '' };
}

const dialog = (title, end, ...parts) =>
  createElement(
    Modal.Root,
    { open: true, onOpenChange: isOpen => isOpen || end() },
    createElement(
      Modal.Content,
      null,
      createElement(Modal.Header, null, createElement(Modal.Title, null, title)),
      ...parts,
    ),
  );
const input = (label, value, onChange, name) =>
  createElement(
    Field.Root,
    { name },
    createElement(Field.Label, null, label),
    createElement(Field.Input, { value, onChange: event => onChange(event.target.value) }),
  );

/** Offers entries by their titles. The link names type and id, so that it follows the entry's address. */
function LinkToEntry({ end, selected }) {
  const { get } = useFetchClient();
  const [typed, setTyped] = useState('');
  const [found, setFound] = useState([]);
  useEffect(() => {
    let isLast = true;
    const asking = setTimeout(async () => {
      const lists = await Promise.all(PAGES.map(type => entriesOf(get, type, typed)));
      if (isLast) setFound(lists.flat());
    }, PAUSE_MS);
    return () => {
      isLast = false;
      clearTimeout(asking);
    };
  }, [get, typed]);
  const rows = found.map(({ link, title, type, isDraft }) =>
    createElement(
      'li',
      { key: link },
      button(title, () => end(`[${selected || escaped(title)}](${link})`), { ...LOOK, margin: 0 }),
      ` ${word(type)}${isDraft ? `, ${word('draft')}` : ''}`,
    ),
  );
  const list = createElement('ul', { key: 'list', style: { ...LIST, minHeight: '240px' } }, ...rows);
  const search = input(word('Title of the entry'), typed, setTyped, 'site-entry');
  return dialog(word('Link to an entry'), end, createElement(Modal.Body, null, search, list));
}

async function entriesOf(get, { uid, path, label, title }, typed) {
  const params = { pageSize: MOST, sort: 'updatedAt:DESC', filters: { [title]: { $containsi: typed } } };
  try {
    const { data } = await get(`/content-manager/collection-types/${uid}`, { params });
    return data.results.map(({ documentId, [title]: name, status }) => ({
      link: `entry:${path}:${documentId}`,
      title: name ?? documentId,
      type: label,
      isDraft: status === 'draft',
    }));
  } catch {
    return [];
  }
}

function PictureInText({ end, isFirst }) {
  const Library = useStrapiApp('site-text', ({ components }) => components['media-library']);
  const [file, setFile] = useState(null);
  const [caption, setCaption] = useState('');
  const [width, setWidth] = useState('0');
  if (!file) {
    const choose = ([one]) => {
      setFile(one);
      setCaption(one.caption ?? '');
    };
    const library = { allowedTypes: ['images'], multiple: false, onClose: end, onSelectAssets: choose };
    return createElement(Library, library);
  }
  const sizes = { 0: word('As wide as the text'), 360: word('Half as wide'), 200: word('Small') };
  const options = Object.entries(sizes).map(([value, text]) =>
    createElement(SingleSelectOption, { key: value, value }, text),
  );
  const size = createElement(
    Field.Root,
    { name: 'site-size', style: { ...TEXT, marginBlock: '16px' } },
    createElement(Field.Label, null, word('Size')),
    createElement(SingleSelect, { value: width, onChange: setWidth }, options),
  );
  const insert = () => {
    const comment = isFirst && width !== '0' ? COMMENT : '';
    end(`${comment}\n\n${pictureText(file, caption, Number(width))}\n\n`);
  };
  return dialog(
    word('Picture'),
    end,
    createElement(Modal.Body, null, input(word('Caption'), caption, setCaption, 'site-caption'), size),
    createElement(Modal.Footer, null, createElement(Button, { onClick: insert }, word('Insert'))),
  );
}

/** @returns a picture as the site reads it. Markdown has no sizes, so a picture with one is an element. */
export function pictureText({ url, alternativeText, width, height }, caption, shownWidth) {
  const alt = alternativeText ?? '';
  if (!shownWidth || !width) return `![${escaped(alt)}](${url}${caption && ` "${escaped(caption)}"`})`;
  const size = { width: shownWidth, height: Math.round((height * shownWidth) / width) };
  const attributes = Object.entries({ src: url, alt, title: caption, ...size });
  const html = text => String(text).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return `<img ${attributes.map(([name, value]) => `${name}="${html(value)}"`).join(' ')}>`;
}
