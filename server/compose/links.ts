import path from 'node:path';
import { createAnswerReader } from '../content/requests/answer-reader.ts';
import { ExternalLinks } from '../links/external-links.ts';
import { LinkCheck } from '../links/link-check.ts';
import { createLinkedRows } from '../links/linked-content.ts';
import { resolveLink } from '../links/resolve-link.ts';
import type { SiteOptions } from './options.ts';
import type { Pages, PagesFrom } from './pages.ts';

export interface LinksFrom extends PagesFrom {
  readonly pages: Pages;
}

export function openLinks({ config, log, overrides = {} }: SiteOptions, from: LinksFrom): LinkCheck {
  const { storage, backend, pages } = from;
  const { content, problems, timeZone, mayAsk } = from.content;
  const { mediaAddress, compileText, media } = backend.decoding;
  const reader = createAnswerReader({ mediaAddress, compileText, media, onProblems: () => {} });
  const external = backend.isEmbedded
    ? null
    : new ExternalLinks({
        file: path.join(storage.backendFolder.dir, 'external-links.json'),
        mayRun: () => storage.purges.mayRun,
        publicOrigin: config.publicOrigin,
        onChange: () => check.hurry(),
        ...overrides.externalLinks,
      });
  const check = new LinkCheck({
    external,
    ...{ content, problems, log },
    readRows: createLinkedRows(reader, timeZone),
    resolve: (href, signal) => resolveLink(pages, href, signal),
    publicOrigin: config.publicOrigin,
    spareTime: storage.spareTime,
    // With previews every replica checks links, because any of them may show a preview with its links.
    mayRun: () => mayAsk() && (storage.purges.mayRun || config.preview !== null),
  });
  return check;
}
