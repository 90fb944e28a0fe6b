import type { RequestHandler } from 'express';
import { writeFileAtomically } from '../cache/disk/write-file-atomically.ts';
import type { SiteOptions } from '../compose/options.ts';
import type { Part } from '../compose/parts.ts';
import type { MessagePlaces } from '../outbox/found-messages.ts';
import { OutboxFiles } from '../outbox/outbox-files.ts';
import { createQueueCommands } from '../outbox/queue/queue-commands.ts';
import type { OpsPage } from './ops-page.ts';
import type { OpsPageParts } from './view.ts';

/** The delay before the page is loaded and reads the metrics, in ms. An earlier request loads it at once. */
const LOAD_AFTER_MS = 5_000;

/** The page on the ops port. Its code is loaded late, because no visitor needs it. */
export function openOpsPage(parts: OpsPageParts): { readonly handle: RequestHandler; readonly part: Part } {
  let page: Promise<OpsPage> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  async function load(): Promise<OpsPage> {
    const { createOpsPage } = await import('./ops-page.ts');
    const created = await createOpsPage(parts);
    if (!isStopped) created.begin();
    return created;
  }
  const loaded = () => {
    page ??= load();
    return page;
  };
  return {
    handle: async (req, res, next) => (await loaded()).router(req, res, next),
    part: {
      begin: () => {
        timer = setTimeout(() => void loaded(), LOAD_AFTER_MS).unref();
      },
      stop: async () => {
        isStopped = true;
        clearTimeout(timer);
        (await page)?.stop();
      },
    },
  };
}

export function messagePlaces({ config, queue }: Pick<SiteOptions, 'config' | 'queue'>): MessagePlaces {
  return {
    files: new OutboxFiles(config.dataDir, writeFileAtomically),
    queue: queue && config.outboxQueue ? createQueueCommands(queue, config.outboxQueue.name) : null,
  };
}
