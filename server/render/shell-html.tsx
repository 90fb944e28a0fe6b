import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { LRUCache } from 'lru-cache';
import type { ReactNode } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import type { Labels } from '../../shared/labels/labels.ts';
import { LabelsContext } from '../../shared/labels/labels-context.ts';
import { CategoryLinks, currentHref } from '../../shared/layouts/category-navigation.tsx';
import { isAnyCurrent } from '../../shared/layouts/is-current.ts';
import { FooterContents } from '../../shared/layouts/site-footer.tsx';
import { HeaderContents } from '../../shared/layouts/site-header.tsx';
import type { Shell } from '../../shared/payload/payload.ts';
import { type ShellHtml, StaticRenderContext } from '../../shared/ui/static-render.ts';

import type { SiteLanguage } from '../content/site-language.ts';

/** Renders a shell: the contents of the header, of the blog's navigation and of the footer. */
export type RenderShell = (
  shell: Shell | null,
  version: string,
  pathname: string,
  language: SiteLanguage,
) => Promise<ShellHtml> | ShellHtml;

/** The limit of rendered shells in memory: enough for a few versions of the content, each with one shell for each link. */
const MAX_SHELLS = 1_000;

/**
 * @returns a function that renders a shell once for each version and each link of the navigation that is marked as current. The number
 *   of renders depends on the number of links and not of pages. The function rejects with the errors of React.
 */
export function createShellRenderer(): RenderShell {
  const rendered = new LRUCache<string, Promise<ShellHtml>>({ max: MAX_SHELLS });
  return (shell, version, pathname, language) => {
    if (shell === null) return {};
    // Pages that no link of the navigation leads to share one rendered shell.
    const place = isAnyCurrent(shell.headerLinks, pathname) ? pathname : '';
    const current = currentHref(shell.categories, pathname);
    const key = `${version} ${language.id} ${place} ${current} ${current === pathname}`;
    const known = rendered.get(key);
    if (known) return known;
    const html = renderShell(shell, pathname, language.labels);
    rendered.set(key, html);
    html.catch(() => rendered.delete(key));
    return html;
  };
}

async function renderShell(shell: Shell, pathname: string, labels: Labels): Promise<ShellHtml> {
  const { siteName, headerLinks, categories } = shell;
  const [header, list, footer] = await Promise.all([
    markup(<HeaderContents siteName={siteName} links={headerLinks} />, pathname, labels),
    markup(<CategoryLinks categories={categories} />, pathname, labels),
    markup(<FooterContents shell={shell} siteName={siteName} />, pathname, labels),
  ]);
  return { header, categories: list, footer };
}

function markup(contents: ReactNode, pathname: string, labels: Labels): Promise<string> {
  const element = (
    <StaticRouter location={pathname}>
      <LabelsContext value={labels}>
        <StaticRenderContext value={{}}>{contents}</StaticRenderContext>
      </LabelsContext>
    </StaticRouter>
  );
  return new Promise((resolve, reject) => {
    const stream = renderToPipeableStream(element, {
      onAllReady: () => resolve(text(stream.pipe(new PassThrough()))),
      onShellError: reject,
      // `onShellError` reports the same error.
      onError: () => {},
    });
  });
}
