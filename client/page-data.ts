import { PAGE_DATA_ID, type PageData } from '../shared/payload/page-data.ts';

/**
 * @returns what the server put into the HTML for the browser.
 * @throws Error when the document carries none: then the page stays as the server made it.
 */
export function readPageData(): PageData {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent;
  if (!text) throw new Error('The document carries no page data');
  return JSON.parse(text) as PageData;
}
