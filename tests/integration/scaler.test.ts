import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { UNWATCHED } from '../../server/cache/disk/disk-health.ts';
import { ImageRenditions } from '../../server/media/renditions/image-renditions.ts';
import { Scaler, type ScalerOptions } from '../../server/media/scaling/scaler.ts';
import { createPictureScaler } from '../../server/media/scaling/scaling-queue.ts';
import { createLogger } from '../../server/ops/log.ts';
import { blankPng } from '../faults/hostile-media.ts';
import { eventually } from '../support/eventually.ts';
import { imageTest, rendition } from '../support/image-test.ts';
import { FAULTS } from '../support/scaling-faults.ts';
import { sendRequest } from '../support/send-request.ts';

const ENTRY = path.resolve(import.meta.dirname, '../support/scaling-faults.ts');
/** More than an idle process takes. A growing process soon exceeds it. */
const MAX_BYTES = 200 * 1024 * 1024;

/** Gives each test a faulty scaler with a low memory limit. */
const it = imageTest.extend('startScaler', async ({}, { onCleanup }) => {
  const ends: (() => void)[] = [];
  onCleanup(() => {
    for (const end of ends) end();
  });
  return (options: Partial<ScalerOptions> = {}) => {
    const log = createLogger('silent', { write: () => {} });
    const scaler = new Scaler({ log, entry: ENTRY, maxBytes: MAX_BYTES, ...options });
    ends.push(() => scaler.stop());
    const scale = (width: number) =>
      scaler
        .scale({ kind: 'rendition', file: '/nowhere', bodyBytes: 1, sha256: '', width, format: 'webp' })
        .then(bytes => Buffer.from(bytes).toString());
    return { scaler, scale };
  };
});

const isRunning = (pid: number | null) => pid !== null && existsSync(`/proc/${pid}`);

describe('the process that scales', () => {
  it('the scaler starts with the first picture, without the environment of the site', async ({
    startScaler,
  }) => {
    const { scaler, scale } = startScaler();
    expect(scaler.pid).toBeNull();
    const names: string[] = JSON.parse(await scale(FAULTS.environment));
    expect(names.filter(name => !name.startsWith('NODE_CHANNEL'))).toEqual(['MALLOC_ARENA_MAX']);
    expect(scaler.pid).not.toBeNull();
  });

  it('a scrape reports the memory of the scaler once it runs', async ({ site, photo, get, serve }) => {
    const bytes = async () => {
      const { text } = await sendRequest(site.opsUrl, '/metrics');
      return Number(/^site_scaler_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
    };
    expect(await bytes()).toBe(0);
    serve('/uploads/weighed.png', photo);
    expect((await get(rendition('/uploads/weighed.png'))).status).toBe(200);
    await eventually(async () => expect(await bytes()).toBeGreaterThan(10 * 1024 ** 2));
  });

  it('the scaler is killed when it takes too much memory: its picture is refused, and the next one is scaled', async ({
    startScaler,
  }) => {
    const { scaler, scale } = startScaler();
    await expect(scale(FAULTS.memory)).rejects.toMatchObject({
      ...{ name: 'ImageRefusedError', status: 413, isLasting: true },
      message: 'This picture takes too much memory to be scaled.',
    });
    const ended = scaler.pid;
    expect(await scale(1)).toBe('scaled');
    expect(scaler.pid).not.toBe(ended);
  });

  it('the scaler is killed when a picture takes too long, and the picture may be tried again', async ({
    startScaler,
  }) => {
    const { scale } = startScaler({ deadlineMs: 1_000 });
    await expect(scale(FAULTS.hang)).rejects.toMatchObject({
      ...{ name: 'ImageRefusedError', status: 422, isLasting: false },
    });
    expect(await scale(1)).toBe('scaled');
  });

  it('the scaler may crash: its picture is refused, and the next one is scaled', async ({ startScaler }) => {
    const { scale } = startScaler();
    await expect(scale(FAULTS.abort)).rejects.toMatchObject({ name: 'ImageRefusedError', status: 422 });
    expect(await scale(1)).toBe('scaled');
  });

  it('a scaler that is killed while it scales two pictures refuses neither of them', async ({
    startScaler,
  }) => {
    const { scale } = startScaler();
    await scale(FAULTS.environment);
    const outcomes = await Promise.allSettled([scale(1), scale(FAULTS.abort)]);
    expect(outcomes.map(outcome => outcome.status === 'rejected' && outcome.reason.name)).toEqual([
      'ScalerEndedError',
      'ScalerEndedError',
    ]);
  });

  it('the scaler ends when it is idle', async ({ startScaler }) => {
    const { scaler, scale } = startScaler({ idleMs: 100 });
    await scale(1);
    const { pid } = scaler;
    await eventually(() => expect([scaler.pid, isRunning(pid)]).toEqual([null, false]));
    expect(await scale(1)).toBe('scaled');
  });

  it('the scaler ends with the site', async ({ startScaler }) => {
    const { scaler, scale } = startScaler();
    await scale(1);
    const { pid } = scaler;
    scaler.stop();
    await eventually(() => expect(isRunning(pid)).toBe(false));
    await expect(scale(1)).rejects.toThrow('the site is stopping');
  });
});

describe('a picture that crashes the scaler', () => {
  it('after a crash two pictures are scaled again one by one, and only the faulty one is refused', async ({
    site,
    serve,
    get,
    startScaler,
  }) => {
    const dir = await mkdtemp(path.join(os.tmpdir(), 'images-'));
    const { media, log } = site.site;
    const { scaler, scale } = startScaler();
    await scale(FAULTS.environment);
    const images = new ImageRenditions({
      ...{ dir, maxBytes: 1_000_000, media, health: UNWATCHED, log, isNamed: () => true },
      pictureScaler: createPictureScaler(scaler),
    });
    const own = site.site.images;
    Object.assign(site.site, { images });
    const src = '/uploads/two-at-once.png';
    serve(src, blankPng({ width: 4, height: 4 }));
    await get(src);
    const answers = await Promise.all([320, FAULTS.abort].map(width => get(rendition(src, width, 'webp'))));
    expect(answers.map(({ status }) => status)).toEqual([200, 422]);
    const lines = site.log.filter(line => line.code.startsWith('media-') && line.src === src);
    expect(lines).toMatchObject([{ level: 'warn', code: 'media-picture-not-scaled' }]);
    Object.assign(site.site, { images: own });
    await rm(dir, { recursive: true });
  });

  it('a picture of 39,000,000 × 1 pixels is refused by its header, also two at once', async ({
    site,
    serve,
    get,
  }) => {
    const addresses = ['wide', 'tall'].map(name => `/uploads/${name}.png`);
    serve('/uploads/wide.png', blankPng({ width: 39_000_000, height: 1 }));
    serve('/uploads/tall.png', blankPng({ width: 1, height: 39_000_000 }));
    const answers = await Promise.all(addresses.map(src => get(rendition(src))));
    expect(answers.map(({ status, text }) => [status, text])).toEqual(
      addresses.map(() => [413, 'Pictures with a side over 16000 pixels are not scaled.']),
    );
    expect(site.log.filter(({ code }) => code === 'media-picture-not-scaled').length).toBeGreaterThan(1);
  });
});
