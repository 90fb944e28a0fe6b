import { escapeJson } from '../../shared/payload/embed-json.ts';
import { marksOf } from '../../shared/routing/is-current.ts';
import { boundedMap, remembered } from '../ops/bounded-map.ts';
import { escapeHtml } from './document.ts';
import { addressOf, type HtmlRequest, urlOf } from './html-request.ts';

export interface PageBytes {
  body: Buffer;
  /** The page's `Content-Security-Policy`; null for the site's policy. */
  policy: string | null;
  preload: string;
  files: readonly string[];
}

/** Renders one template, with placeholders, for pages that differ only in address or request id. */
export type ErrorPages = (
  html: HtmlRequest,
  render: (html: HtmlRequest) => Promise<PageBytes>,
) => Promise<PageBytes>;

/** Limit for templates. Each error and each set of suggestions has one. */
const MAX_TEMPLATES = 100;
/** Makes a placeholder. Its characters stay the same in every escaping. */
const blank = (name: string) => `blank-9f2c61d8-${name}-end`;
const BLANK = /([/?]?blank-9f2c61d8-\w+-end)/;
const PATH = `/${blank('path')}`;
const SEARCH = `?${blank('search')}`;
const MESSAGE = blank('message');
const REQUEST_ID = blank('id');

export function createErrorPages(): ErrorPages {
  const templates = boundedMap<Promise<ReturnType<typeof templateOf>>>(MAX_TEMPLATES);
  return async (html, render) => {
    const values = valuesOf(html);
    if (values === null) return render(html);
    const template = remembered(templates, keyOf(html), () => render(withBlanks(html)).then(templateOf));
    // Render again if the template failed, as when the visitor who caused it has left.
    const ready = await template.catch(() => null);
    if (ready === null) return render(html);
    const { policy, preload, files } = ready;
    const fill = (pieces: readonly string[], escaped: (text: string) => string) =>
      pieces.map((piece, at) => (at % 2 === 0 ? piece : escaped(values.get(piece) ?? ''))).join('');
    return {
      body: Buffer.from(fill(ready.html, escapeAsReact) + fill(ready.json, escapeInJson)),
      policy,
      preload,
      files,
    };
  };
}

function valuesOf(html: HtmlRequest): ReadonlyMap<string, string> | null {
  const { error, params, data } = html.page.payload;
  if (!error) return null;
  const { pathname, search } = urlOf(addressOf(html));
  const { shell } = data;
  // Use no template if the navigation may link to this page: that link is marked as current.
  if (
    shell &&
    (shell.categories.length > 0 ||
      marksOf([...shell.headerLinks, ...shell.footerLinks], pathname).some(Boolean))
  )
    return null;
  return new Map([
    [PATH, pathname],
    [SEARCH, search],
    [MESSAGE, html.request?.path ?? ''],
    [REQUEST_ID, error.requestId ?? ''],
    ...Object.entries(params).map(([name, value]) => [blank(`param_${name}`), value] as const),
  ]);
}

function keyOf(html: HtmlRequest): string {
  const { page, request, origin, deviceClass, hydrate } = html;
  const { payload, shellVersion, settingsVersion, language } = page;
  const names = Object.keys(payload.params);
  return JSON.stringify([
    shellVersion,
    settingsVersion,
    language.id,
    origin,
    deviceClass,
    hydrate,
    request !== null,
    request?.formState,
    payload.route,
    names,
    payload.head,
    errorWithBlanks(html),
  ]);
}

/** Replaces the path by a placeholder, because not-found messages name it. */
function errorWithBlanks({ page, request }: HtmlRequest) {
  const { error } = page.payload;
  if (!error) return undefined;
  const { labels } = page.language;
  const isNotFound = request !== null && error.message === labels.text('notFound', { path: request.path });
  return {
    ...error,
    ...(isNotFound ? { message: labels.text('notFound', { path: MESSAGE }) } : {}),
    ...(error.requestId === undefined ? {} : { requestId: REQUEST_ID }),
  };
}

function withBlanks(html: HtmlRequest): HtmlRequest {
  const { page, request } = html;
  const { payload } = page;
  const params = Object.fromEntries(Object.keys(payload.params).map(name => [name, blank(`param_${name}`)]));
  const error = errorWithBlanks(html);
  return {
    ...html,
    page: { ...page, payload: { ...payload, params, ...(error ? { error } : {}) } },
    request: request && { path: PATH, search: SEARCH, formState: request.formState },
  };
}

/** @returns texts of the page's HTML and JSON, with the placeholders between them. */
function templateOf({ body, ...others }: PageBytes) {
  const text = body.toString();
  const data = text.lastIndexOf('<script type="application/json"');
  const end = data < 0 ? text.length : data;
  return { html: text.slice(0, end).split(BLANK), json: text.slice(end).split(BLANK), ...others };
}

/** Escapes like React, so that a filled template equals React's page. */
function escapeAsReact(text: string): string {
  return escapeHtml(text).replaceAll("'", '&#x27;');
}

function escapeInJson(text: string): string {
  return escapeJson(JSON.stringify(text)).slice(1, -1);
}
