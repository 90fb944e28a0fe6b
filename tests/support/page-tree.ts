import type { ReactNode } from 'react';
import { pages } from '../../server/render/pages.ts';
import { createPageTree } from '../../server/render/render-page.tsx';
import { PAGE_DATA_ID, type PageData, ROOT_ID } from '../../shared/payload/page-data.ts';

const treeOf = createPageTree(pages);

/** @returns the tree of a page as a browser has it, with nothing of what the server does to render it sooner. */
export function pageTree(data: PageData, path: string): ReactNode {
  return treeOf({ ...data, url: path }, null);
}

export interface DocumentAround {
  before: string;
  /** The markup that React has rendered. */
  markup: string;
  after: string;
  data: PageData;
}

/** Takes a page's document apart. */
export function takeApart(document: string): DocumentAround {
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
