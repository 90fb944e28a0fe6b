import type { ReactNode } from 'react';
import { siteLanguage } from '../../server/content/reading/site-language.ts';
import { loadPages } from '../../server/loading/route-contents.ts';
import { createPageTree } from '../../server/render/render-page.tsx';
import { PAGE_DATA_ID, type PageData, ROOT_ID } from '../../shared/payload/page-data.ts';

/**
 * @returns the tree of a page as the browser builds it. It has no HTML that the server rendered for an
 *   earlier page.
 */
export async function pageTree(data: PageData, path: string): Promise<ReactNode> {
  const { labels } = siteLanguage(data.language);
  return createPageTree(await loadPages())({ ...data, labels, url: path }, null);
}

export interface DocumentParts {
  before: string;
  /** Markup rendered by React. */
  markup: string;
  after: string;
  data: PageData;
}

/** Splits a document at the markup of React. */
export function splitDocument(document: string): DocumentParts {
  const root = `<div id="${ROOT_ID}">`;
  const marker = `</div><script type="application/json" id="${PAGE_DATA_ID}">`;
  const from = document.indexOf(root) + root.length;
  const until = document.lastIndexOf(marker);
  const json = document.slice(until + marker.length, document.indexOf('</script>', until));
  return {
    before: document.slice(0, from),
    markup: document.slice(from, until),
    after: document.slice(until),
    data: JSON.parse(json),
  };
}
