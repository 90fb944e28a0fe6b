import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ReactNode } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { CategoryLinks, currentHref } from '../../shared/layouts/category-navigation.tsx';
import { isAnyCurrent } from '../../shared/layouts/is-current.ts';
import { FooterContents } from '../../shared/layouts/site-footer.tsx';
import { HeaderContents } from '../../shared/layouts/site-header.tsx';
import type { Shell } from '../../shared/payload/payload.ts';
import { type ShellHtml, StaticRenderContext } from '../../shared/ui/static-render.ts';

/** The shell's HTML by the place in the navigation: as many entries as the navigation has links, however many pages there are. */
const known = new WeakMap<Shell, Map<string, Promise<ShellHtml>>>();

/**
 * Renders the parts around every page, once for each shell and each place in its navigation. Equal content gives the very
 * same shell (`server/loaders/shell.ts`).
 *
 * @returns the contents of the header, the blog's navigation and the footer. Rejects with the error that React reports.
 */
export function shellHtml(shell: Shell | null, pathname: string): Promise<ShellHtml> | ShellHtml {
  if (shell === null) return {};
  const { siteName, headerLinks: links, categories } = shell;
  // All pages without a link in the navigation share one entry.
  const place = isAnyCurrent(links, pathname) ? pathname : '';
  const current = currentHref(categories, pathname);
  const key = `${place} ${current} ${current === pathname}`;
  const places = known.get(shell) ?? new Map<string, Promise<ShellHtml>>();
  known.set(shell, places);
  let html = places.get(key);
  if (!html) {
    html = render();
    places.set(key, html);
    html.catch(() => places.delete(key));
  }
  return html;

  async function render(): Promise<ShellHtml> {
    const [header, list, footer] = await Promise.all([
      markup(<HeaderContents siteName={siteName} links={links} />, pathname),
      markup(<CategoryLinks categories={categories} />, pathname),
      markup(<FooterContents shell={shell} siteName={siteName} />, pathname),
    ]);
    return { header, categories: list, footer };
  }
}

function markup(contents: ReactNode, pathname: string): Promise<string> {
  const element = (
    <StaticRouter location={pathname}>
      <StaticRenderContext value={{}}>{contents}</StaticRenderContext>
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
