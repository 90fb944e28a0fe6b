import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { UNWATCHED } from '../../server/cache/disk/disk-health.ts';
import { ImageRenditions } from '../../server/media/renditions/image-renditions.ts';
import { createPictureScaler } from '../../server/media/scaling/scaling-queue.ts';
import { blankPng } from '../faults/hostile-media.ts';
import { eventually } from '../support/eventually.ts';
import { imageTest as it } from '../support/image-test.ts';

it('while a rendition is made, WebP is sent if there is one, else the original', async ({
  site,
  get,
  serve,
}) => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'images-'));
  const ends: (() => void)[] = [];
  const scale = async () => {
    await new Promise<void>(resolve => ends.push(resolve));
    return Buffer.from('RIFF0000WEBP');
  };
  const options = {
    ...{ dir, maxBytes: 1_000_000, media: site.site.media, health: UNWATCHED, log: site.site.log },
    ...{ pictureScaler: createPictureScaler({ scale }), isNamed: () => true },
  };
  serve('/uploads/late.png', blankPng({ width: 4, height: 4 }));
  const ask = async (name: string) => {
    const { status, headers } = await get(`/images/uploads/late.png/${name}?v=abc`);
    return [status, headers.location ?? headers['content-type'], headers['cache-control']];
  };
  const useWait = (waitMs: number) => {
    const images = new ImageRenditions({ ...options, waitMs });
    Object.assign(site.site, { images });
    return images;
  };
  const impatient = useWait(1);
  expect(await ask('320.webp')).toEqual([302, '/uploads/late.png?v=abc', 'no-store']);
  // The work continues, so the next visitor gets the rendition.
  await eventually(() => expect(ends).toHaveLength(1));
  ends.shift()?.();
  const webp = { src: '/uploads/late.png', width: 320, format: 'webp' } as const;
  await eventually(async () => expect(await impatient.has(webp)).toBe(true));
  expect(await ask('320.avif')).toEqual([302, '/images/uploads/late.png/320.webp?v=abc', 'no-store']);
  await eventually(() => expect(ends).toHaveLength(1));
  ends.shift()?.();
  await eventually(() => expect(impatient.work.running).toBe(0));
  useWait(60_000);
  expect((await ask('320.webp')).slice(0, 2)).toEqual([200, 'image/webp']);
  await rm(dir, { recursive: true });
});
