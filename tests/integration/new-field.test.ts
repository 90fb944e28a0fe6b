import { type ComponentType, createElement } from 'react';
import { describe, expect } from 'vitest';
import { loadPages } from '../../server/loading/route-contents.ts';
import { withNewField } from '../support/changed-decoder.ts';
import { some } from '../support/in-full.ts';
import { get, it, PUBLIC_URL, visit } from '../support/outage-test.ts';
import { sendRequest } from '../support/send-request.ts';
import type { RunningSite, StartSiteOptions } from '../support/start-site.ts';

const pages = await loadPages();
const SEEN = [
  ...['/', '/about', '/commerce/online-shops', '/business-solutions/payouts'],
  ...['/blog', '/blog/news', '/blog/news/fees-go-down-in-may'],
];
/** Content on disk stays fresh for a minute after a restart, long enough to use content of an old build. */
const LONG_TTL = { CONTENT_TTL_MS: '60000' };
const NEW_FIELD = 'awards';
const NEW_VALUE = ['first', 'second'];

/**
 * @returns a component that reads the new field of a part of the page's data, and throws without the field.
 */
function reading<P extends { data: object }>(Page: ComponentType<P>, partOf: (data: P['data']) => unknown) {
  return (props: P) => {
    const { awards } = partOf(props.data) as { awards: string[] };
    return createElement(
      'div',
      null,
      `Awards: ${awards.join(', ').toUpperCase()}`,
      createElement(Page, props),
    );
  };
}

const BUILDS = ['the next build', 'the same build', 'the same build with another PUBLIC_URL'];

/** A build with a new field in each content type, and components that depend on it. */
const withField: StartSiteOptions['overrides'] = {
  contentApi: api => withNewField(api, NEW_FIELD, NEW_VALUE),
};

describe.each(['up', 'down'])(
  'a build with a new field in each content type, while the backend is %s',
  state => {
    it.for(some(BUILDS, 2))(
      'a build with a new field shows each page at its first request from old data, as %s',
      async (build, { nextBuild, startBackend, startProcess }) => {
        const backend = await startBackend();
        const old = await startProcess(backend.url, { env: LONG_TTL });
        await visit(old, SEEN);
        await visit(
          old,
          SEEN.map(address => `${address === '/' ? '' : address}/_payload.json`),
        );
        await old.close();
        if (state === 'down') backend.goDown();
        const isSame = build === 'the same build';
        const next = await startProcess(backend.url, {
          overrides: withField,
          ...(build === 'the next build' ? { distDir: nextBuild.distDir } : {}),
          env: {
            ...LONG_TTL,
            PUBLIC_URL: build.endsWith('PUBLIC_URL') ? 'https://other.example' : PUBLIC_URL,
          },
        });
        expect((await sendRequest(next.opsUrl, '/readyz')).status).toBe(200);
        await visit(next, SEEN);
        await expectField(next, !isSame);
        const failures = next.log.filter(
          ({ code, level }) => level === 'error' && /^(?:render|http-request)-failed$/.test(code),
        );
        expect(failures).toEqual([]);
      },
    );
  },
);

/** Expects the new field in the payload of each page that is made of entities. */
async function expectField(site: RunningSite, isRendered: boolean): Promise<void> {
  for (const address of SEEN.filter(address => !['/', '/blog'].includes(address))) {
    const payload = await get(site, `${address}/_payload.json`);
    expect([address, payload.status]).toEqual([address, 200]);
    if (isRendered)
      expect([address, payload.text.includes(JSON.stringify(NEW_VALUE))]).toEqual([address, true]);
  }
}

it('a component finds its new field in content that an old build has stored', async ({
  nextBuild,
  startBackend,
  startProcess,
}) => {
  const backend = await startBackend();
  const old = await startProcess(backend.url, { env: LONG_TTL });
  await visit(old, SEEN);
  await old.close();
  const next = await startProcess(backend.url, {
    distDir: nextBuild.distDir,
    env: LONG_TTL,
    overrides: {
      ...withField,
      pages: {
        ...pages,
        home: reading(pages.home, ({ positions }) =>
          positions.map(position => ('data' in position ? position.data : null)).find(data => data !== null),
        ),
        page: reading(pages.page, ({ page }) => page),
        commerce: reading(pages.commerce, ({ entry }) => entry),
        'blog-article': reading(pages['blog-article'], ({ article }) => article),
      },
    },
  });
  for (const address of ['/', '/about', '/commerce/online-shops', '/blog/news/fees-go-down-in-may']) {
    const answer = await get(next, address);
    expect([address, answer.status, answer.text.includes('Awards: FIRST, SECOND')]).toEqual([
      address,
      200,
      true,
    ]);
  }
});
