import { createLabels, type PageLabels } from '../shared/labels/labels.ts';
import type { PageLanguage } from '../shared/labels/page-language.ts';
import { PAGE_DATA_ID, type PageData } from '../shared/payload/page-data.ts';
import { catalogues, type PageWords } from '../site/words.ts';

/** The longest message or stack, so that a report stays below the server's limit of 4 KiB. */
const MAX_TEXT = 1_000;
/** Limit for one page. A page that fails in a loop would only send the same few errors again. */
const MAX_REPORTS = 5;

let reports = 0;

export function readPageData(): PageData {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent;
  if (!text) throw new Error('No page data');
  return JSON.parse(text) as PageData;
}

export async function loadLabels(language: PageLanguage): Promise<PageLabels> {
  const { default: catalogue } = await catalogues[language.catalogue]();
  return createLabels<PageWords>(language, catalogue);
}

/** Sends an error to the server's log. Never throws and never waits. */
export function reportError(error: unknown, where: string): void {
  if (reports >= MAX_REPORTS && !__DEV__) return;
  reports += 1;
  const { name, message, stack } =
    error instanceof Error ? error : { name: 'Error', message: String(error), stack: '' };
  const report = {
    where,
    name: name.slice(0, 100),
    message: message.slice(0, MAX_TEXT),
    stack: (stack ?? '').slice(0, MAX_TEXT),
    path: location.pathname.slice(0, 500),
  };
  fetch('/client-errors', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(report),
    keepalive: true,
  }).catch(() => {});
}
