import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payloadAddress } from '../../shared/routing/payload-address.ts';
import { type AppClient, sampleAppClient } from '../support/app-client.ts';
import { ROUTES_READING_DEVICE } from '../support/reading-device.ts';
import { SAMPLE_PATHS } from '../support/sample-paths.ts';
import { AS_BROWSER } from '../support/send-request.ts';

/** An article, whose route reads the device in these tests. */
const ARTICLE = SAMPLE_PATHS['blog-article'];
const IOS = { 'CloudFront-Is-IOS-Viewer': 'true' };
const ANDROID = { 'CloudFront-Is-Android-Viewer': 'true' };

let app: AppClient;

beforeAll(async () => {
  app = await sampleAppClient({ overrides: { routes: ROUTES_READING_DEVICE } });
});
afterAll(() => app.close());

async function timingOf(path: string, headers: Record<string, string>) {
  const answer = await app.client.get(path).set({ ...AS_BROWSER, ...headers });
  expect(answer.status).toBe(200);
  return answer.headers['server-timing'];
}

describe('the operating system in CloudFront’s headers', () => {
  it.each([
    ['iOS', IOS, 'device;desc="ios"'],
    ['Android', ANDROID, 'device;desc="android"'],
    ['both: iOS wins', { ...ANDROID, ...IOS }, 'device;desc="ios"'],
    ['neither', { 'CloudFront-Is-IOS-Viewer': 'false' }, undefined],
    ['nothing', {}, undefined],
  ])(
    'a page that reads the device gets CloudFront’s operating system, rendered or stored: %s',
    async (name, headers, timing) => {
      const path = `${ARTICLE}?for=${encodeURIComponent(name)}`;
      expect(await timingOf(path, headers)).toBe(timing);
      expect(await timingOf(path, headers)).toBe(timing);
    },
  );

  it('CloudFront’s operating system is not stored with the page', async () => {
    const timings = [];
    for (const headers of [IOS, ANDROID, {}, IOS]) timings.push(await timingOf(ARTICLE, headers));
    expect(timings).toEqual(['device;desc="ios"', 'device;desc="android"', undefined, 'device;desc="ios"']);
  });

  it('only pages that read the device list CloudFront’s header in Vary', async () => {
    const { headers } = await app.client.get(ARTICLE).set(AS_BROWSER);
    for (const name of Object.keys({ ...IOS, ...ANDROID })) expect(headers.vary).toContain(name);
    expect(await timingOf('/about', IOS)).toBeUndefined();
    expect(await timingOf(payloadAddress(ARTICLE, '', app.site.manifest.id), IOS)).toBeUndefined();
  });
});
