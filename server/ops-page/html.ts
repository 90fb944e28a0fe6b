import { escapeHtml } from '../render/document.ts';

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Html | readonly Html[] | null | undefined | false;

/** Writes HTML. Every value is escaped, unless `html` has made it; an absent value is empty. */
export function html(texts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(texts.reduce((written, text, at) => written + textOf(values[at - 1]) + text));
}

function textOf(value: Value): string {
  if (value instanceof Html) return value.text;
  if (value === null || value === undefined || value === false) return '';
  return typeof value === 'object' ? value.map(({ text }) => text).join('') : escapeHtml(String(value));
}

export function facts(of: Readonly<Record<string, Value>>): Html {
  const shown = Object.entries(of).filter(([, value]) => value !== undefined);
  return html`<dl>${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

/** A table; on a phone a list for each row. The first cell of a row is its heading. */
export function table(label: string, head: readonly string[], rows: readonly (readonly Value[])[]): Html {
  const body = rows.map(
    ([first, ...cells]) =>
      html`<tr><th scope="row">${first}</th>${cells.map((cell, at) => html`<td data-label="${head[at + 1]}">${cell}</td>`)}</tr>`,
  );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table>
<thead><tr>${head.map(name => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** @param time in ms since the epoch or in ISO 8601; 0 or null for never. */
export function ago(time: number | string | null | undefined): Html {
  if (!time || Number.isNaN(time)) return html`<span class="muted">never since the start</span>`;
  const date = new Date(time);
  return html`<time datetime="${date.toISOString()}" title="${date.toISOString()}">${duration(Date.now() - date.getTime())} ago</time>`;
}

export function bad(count: number): Html {
  return html`<strong class="${count > 0 && 'bad'}">${number(count)}</strong>`;
}

export function strong(text: string): Html {
  return html`<strong>${text}</strong>`;
}

export function counts(found: Iterable<readonly [name: string, count: number]>): string {
  return Array.from(found, ([name, count]) => `${name} ${number(count)}`).join(', ') || 'none';
}

const UNITS = [
  ['days', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

export function duration(ms: number): string {
  if (!Number.isFinite(ms)) return '–';
  const [unit, length] = UNITS.find(([, length]) => ms >= 2 * length) ?? ['ms', 1];
  return `${Math.round(ms / length)} ${unit}`;
}

export function bytes(count: number): string {
  return `${number(count / 1024 ** 2)} MiB`;
}

export function number(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return value >= 10 || Number.isInteger(value) ? Math.round(value).toLocaleString('en') : value.toFixed(1);
}
