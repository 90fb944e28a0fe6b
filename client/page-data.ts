import { PAGE_DATA_ID, type PageData } from '../shared/payload/page-data.ts';

/**
 * @returns the page data that the server put into the HTML.
 * @throws Error when the document carries none: the page is then not hydrated.
 */
export function readPageData(): PageData {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent;
  if (!text) throw new Error('No page data');
  return JSON.parse(text) as PageData;
}
