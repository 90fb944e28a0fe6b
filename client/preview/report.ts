import type { PagePayload } from '../../shared/payload/payload.ts';
import { element } from '../element.ts';
import { FIELD } from './fields.ts';
import { button } from './text-form.ts';

/** Search engines cut longer titles and descriptions. The limits are in characters. */
const MAX_TITLE = 60;
const MAX_DESCRIPTION = 160;
const WORDS_A_MINUTE = 220;

interface Finding {
  readonly text: string;
  readonly field?: string | null | undefined;
}

/** @returns the element that says how the page will look elsewhere, and what it lacks, as advice only. */
export function createReport(
  payload: () => PagePayload | undefined,
  openField: ((field: string) => void) | null,
): HTMLElement {
  const body = element('div');
  const report = element('details', { id: 'preview-report' }, element('summary', {}, 'Check'), body);
  report.addEventListener('toggle', () => {
    const shown = payload();
    const main = document.querySelector('main');
    if (report.open && shown) body.replaceChildren(...sectionsOf(shown, main, openField));
  });
  return report;
}

function sectionsOf(
  payload: PagePayload,
  main: Element | null,
  openField: ((field: string) => void) | null,
): HTMLElement[] {
  const { title, description } = payload.head;
  const words = (main?.textContent ?? '').match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  const minutes = Math.max(1, Math.round(words / WORDS_A_MINUTE));
  const findings: Finding[] = [
    ...headingsOutOfOrder(main),
    ...picturesWithoutText(payload),
    ...(payload.preview?.problems ?? []).map(({ field, reason }) => ({ field, text: `Left out: ${reason}` })),
  ];
  const list = element('ul', {}, findings.length > 0 ? '' : 'Nothing is missing.');
  for (const { text, field } of findings) {
    const item = element('li', {}, text);
    if (field && openField)
      item.append(
        ' ',
        button('Open the field', () => openField(field)),
      );
    list.append(item);
  }
  const lengths = `Title: ${lengthOf(title, MAX_TITLE)}. Description: ${lengthOf(description, MAX_DESCRIPTION)}.`;
  return [
    element('h2', {}, 'In search results'),
    element(
      'div',
      { className: 'result' },
      element('small', {}, location.host + location.pathname),
      element('strong', {}, cut(title, MAX_TITLE)),
      element('span', {}, cut(description ?? '', MAX_DESCRIPTION)),
    ),
    element('p', {}, lengths),
    element('p', {}, `${words} words, ${minutes} min to read.`),
    element('h2', {}, 'Findings'),
    list,
  ];
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text;
}

function lengthOf(text: string | null | undefined, most: number): string {
  if (!text) return 'missing';
  return `${text.length} characters${text.length > most ? `, of which about ${most} are shown` : ''}`;
}

/** Finds headings that skip a level, such as an h4 below an h2. */
function headingsOutOfOrder(main: Element | null): Finding[] {
  const headings = [...(main?.querySelectorAll('h1, h2, h3, h4, h5, h6') ?? [])];
  return headings.flatMap((heading, index) => {
    const level = Number(heading.tagName[1]);
    const before = Number(headings[index - 1]?.tagName[1] ?? 0);
    if (level <= before + 1) return [];
    const field = heading.closest(`[${FIELD}]`)?.getAttribute(FIELD);
    return [{ field, text: `“${heading.textContent}” is a heading ${level} after a heading ${before}.` }];
  });
}

function picturesWithoutText({ data, preview }: PagePayload): Finding[] {
  const found = new Map<string, Finding>();
  JSON.stringify(data.page, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('src' in value) || !('alt' in value)) return value;
    const { src, alt } = value;
    if (typeof src === 'string' && alt === '')
      found.set(src, {
        field: preview?.fields[src],
        text: `The picture ${src.split('/').at(-1)} has no alternative text.`,
      });
    return value;
  });
  return [...found.values()];
}
