import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ReactNode } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import type { Labels } from '../../shared/labels/labels.ts';
import { LabelsContext } from '../../shared/labels/labels-context.ts';
import type { Shell } from '../../shared/payload/shell.ts';
import { marksOf } from '../../shared/routing/is-current.ts';
import { StaticRouter } from '../../shared/routing/router.ts';
import { type ShellHtml, StaticRenderContext } from '../../shared/ui/rendering/shell-part-element.tsx';
import { CategoryLinks, currentHref, FooterContents, HeaderContents } from '../../site/layouts.ts';
import { boundedMap, remembered } from '../ops/bounded-map.ts';
import type { LoadedPage } from './html-request.ts';

/** Limit for shells: a few versions of the content, each with one shell for each current link. */
const MAX_SHELLS = 1_000;

/** Renders a shell once for each version and current link. Rejects with React's errors. */
export function createShellRenderer() {
  const rendered = boundedMap<Promise<ShellHtml>>(MAX_SHELLS);
  return ({ payload, shellVersion, language }: LoadedPage, pathname: string) => {
    const { shell } = payload.data;
    if (shell === null) return {};
    // Share one shell among pages with the same current links and category.
    const place = marksOf(shell.headerLinks, pathname).join();
    const current = currentHref(shell.categories, pathname);
    const key = `${shellVersion} ${language.id} ${place} ${current} ${current === pathname}`;
    return remembered(rendered, key, () => renderShell(shell, pathname, language.labels));
  };
}

async function renderShell(shell: Shell, pathname: string, labels: Labels): Promise<ShellHtml> {
  const { siteName, categories } = shell;
  const [header, list, footer] = await Promise.all([
    markup(<HeaderContents siteName={siteName} shell={shell} />, pathname, labels),
    markup(<CategoryLinks categories={categories} />, pathname, labels),
    markup(<FooterContents shell={shell} siteName={siteName} />, pathname, labels),
  ]);
  return { header, categories: list, footer };
}

export function markup(contents: ReactNode, pathname: string, labels: Labels): Promise<string> {
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
      // Ignore the error here, because `onShellError` reports it.
      onError: () => {},
    });
  });
}
