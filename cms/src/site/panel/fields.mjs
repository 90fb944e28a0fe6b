import { createElement, Fragment, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useEdits } from './edits.mjs';
import { TextTools } from './text-tools.mjs';

/** The messages between the panel and a preview in its frame (`client/preview/panel.ts` of the site). */
const READY = 'previewReady';
const CONNECTED = 'sitePanel';
const ENTRY = /^\/content-manager\/(?:collection|single)-types\/[\w:.-]+(?:\/[\w-]+)?#field=[\w.%-]+$/;
/** The time for a form to show its fields, in ms. */
const PATIENCE_MS = 5_000;
/** What takes the focus of a field. An editor of texts has buttons before its text. */
const INPUTS = [
  '.CodeMirror textarea',
  '[contenteditable="true"]',
  'input, textarea, [role="combobox"]',
  'button',
];

export function addFieldLinks(app) {
  const contentManager = app.getPlugin('content-manager');
  contentManager.injectComponent('preview', 'actions', { name: 'site-preview', Component: FollowPreview });
  contentManager.injectComponent('editView', 'right-links', { name: 'site-field', Component: FocusField });
}

/** Marks a label, because many inputs do not tell the name of their field. */
export function markedLabel({ name, type, labelAction }) {
  const mark = createElement('span', { 'data-site-field': name });
  const tools = type === 'richtext' && createElement(TextTools);
  return createElement(Fragment, null, labelAction, mark, tools);
}

/** Gives the preview's frame a port, and answers it. Other windows get none. */
function FollowPreview() {
  const navigate = useNavigate();
  const { answers: edits, library } = useEdits();
  const answers = useRef();
  answers.current = { ...edits, open: ({ path }) => ENTRY.test(path) && navigate(path) };
  useEffect(() => {
    const connect = ({ source, origin, data }) => {
      const frame = [...document.querySelectorAll('iframe')].find(one => one.contentWindow === source);
      if (data?.type !== READY || !frame?.src.startsWith(`${origin}/`)) return;
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = async ({ data: { ask, ...call }, ports: [port] }) => {
        const answer = await answers.current[ask]?.(call);
        port?.postMessage(answer);
      };
      source.postMessage({ type: CONNECTED }, origin, [port2]);
    };
    window.addEventListener('message', connect);
    return () => window.removeEventListener('message', connect);
  }, []);
  return library;
}

/** The field of the address, behind `#`: Strapi's `?field=` breaks forms with rows of components. */
export function useWantedField() {
  return new URLSearchParams(useLocation().hash.slice(1)).get('field');
}

/** Opens the field that the address names, and puts the cursor into it. */
function FocusField() {
  const wanted = useWantedField();
  useEffect(() => {
    if (!wanted) return undefined;
    const observer = new MutationObserver(() => look());
    const look = () => {
      const input = inputOf(wanted);
      input?.focus({ preventScroll: true });
      if (!input || document.activeElement !== input) return;
      observer.disconnect();
      const show = () => input.scrollIntoView({ block: 'center' });
      show();
      // Rows that still open move the input.
      const opening = document.getAnimations().filter(({ effect }) => effect?.target?.contains(input));
      Promise.allSettled(opening.map(({ finished }) => finished)).then(show);
    };
    observer.observe(document.body, { subtree: true, childList: true, attributes: true });
    look();
    const end = setTimeout(() => observer.disconnect(), PATIENCE_MS);
    return () => {
      clearTimeout(end);
      observer.disconnect();
    };
  }, [wanted]);
  return null;
}

/** @returns the input of a field such as `questions.0.answer`, or null until it is shown. Opens rows. */
function inputOf(wanted) {
  let box = document.body;
  for (const part of wanted.split('.')) {
    box = /^\d+$/.test(part) ? openRow(box, Number(part)) : boxOf(box, part);
    if (!box) return null;
  }
  return INPUTS.map(selector => box.querySelector(selector)).find(Boolean) ?? null;
}

/** @returns the field's cell of the form. Fields of its name inside other fields lie deeper. */
function boxOf(around, name) {
  const marks = [...around.querySelectorAll(`[data-site-field="${CSS.escape(name)}"]`)];
  let [box = null] = marks.sort((a, b) => depthOf(a) - depthOf(b));
  while (box?.parentElement && getComputedStyle(box.parentElement).display !== 'grid')
    box = box.parentElement;
  return box;
}

function depthOf(element) {
  return element ? 1 + depthOf(element.parentElement) : 0;
}

/** @returns a row of a list or a dynamic zone, or null while it is closed. */
function openRow(box, index) {
  const heads = [...box.querySelectorAll('h3')].filter(head => {
    const region = head.closest('[role="region"]');
    return !region || region.contains(box);
  });
  const head = heads[index]?.querySelector('button[aria-expanded]');
  if (head?.getAttribute('aria-expanded') === 'false') {
    head.click();
    return null;
  }
  return head?.closest('h3').parentElement ?? null;
}
