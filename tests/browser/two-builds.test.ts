import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { inFull, some } from '../support/in-full.ts';
import { close, listen } from '../support/listen.ts';
import {
  answered,
  draft,
  INTERVAL_MS,
  newBuildTest,
  reloaded,
  START,
  setHidden,
} from '../support/new-build-test.ts';
import { makeSecondBuild } from '../support/second-build.ts';
import { sendRequest } from '../support/send-request.ts';
import { type Stage, startStage } from '../support/stage.ts';
import { DIST_DIR } from '../support/start-site.ts';
import { settled } from '../support/visitor.ts';

/** Gives each test a second build, and servers (stages) of both builds. They share a folder of assets. */
const it = newBuildTest
  .extend('second', { scope: 'file' }, async ({}, { onCleanup }) => {
    const second = await makeSecondBuild();
    onCleanup(() => second.remove());
    return second;
  })
  .extend('deployments', async ({}, { onCleanup }) => {
    const assetsDir = await mkdtemp(path.join(os.tmpdir(), 'assets-'));
    const running = new Set<Stage>();
    onCleanup(async () => {
      await Promise.all(Array.from(running, stage => stage.close()));
      await rm(assetsDir, { recursive: true, force: true });
    });
    return { assetsDir, running };
  })
  /** Starts a build as `server/main.ts` does. */
  .extend('deploy', async ({ deployments: { assetsDir, running } }) => async (distDir: string, port = 0) => {
    const stage = await startStage({
      distDir,
      port,
      env: { BUILD_POLL_INTERVAL_MS: String(INTERVAL_MS), ASSETS_DIR: assetsDir },
    });
    await stage.site.earlierBuilds.keep(path.join(distDir, 'client/assets'));
    running.add(stage);
    return stage;
  })
  /** Stops a stage and starts another build on its port. */
  .extend('replace', async ({ deploy, deployments }) => async (stage: Stage, distDir: string) => {
    deployments.running.delete(stage);
    await stage.close();
    return deploy(distDir, Number(new URL(stage.url).port));
  })
  /** Starts a round-robin proxy in front of the stages. @returns its address. */
  .extend('startFront', async ({}, { onCleanup }) => {
    let front: Server | null = null;
    onCleanup(async () => {
      if (front) await close(front);
    });
    return (stages: readonly Stage[]) => {
      let turn = 0;
      front = createServer((req, res) => {
        const { hostname, port } = new URL(stages[turn++ % stages.length]?.url ?? '');
        const { url: target, method, headers } = req;
        const onward = request({ hostname, port, path: target, method, headers }, answer => {
          res.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(res);
        });
        onward.on('error', () => res.destroy());
        res.on('close', () => onward.destroy());
        req.pipe(onward);
      });
      return listen(front);
    };
  });

describe('two builds', () => {
  it('a deploy keeps the draft of an open tab, misses no chunk, and serves old assets', async ({
    open,
    deploy,
    replace,
    second,
  }) => {
    const old = await deploy(DIST_DIR);
    const opened = await open(`${old.url}/contacts`, {
      prepare: page => page.clock.install({ time: START }),
    });
    const { page } = opened;
    await draft(page).fill('Half a letter');
    await page.locator('#subscribe-email').fill('zoe@example.com');
    const current = await replace(old, second.distDir);
    expect(current.url).toBe(old.url);

    // Nothing happens while the tab is visible.
    await page.clock.runFor(INTERVAL_MS * 1.1);
    await answered(opened);
    expect(await draft(page).inputValue()).toBe('Half a letter');
    await setHidden(page, true).catch(() => {});
    await reloaded(opened, ['/contacts', '/contacts']);
    expect(await draft(page).inputValue()).toBe('Half a letter');
    expect(await page.locator('script[data-entry]').getAttribute('data-entry')).toBe(
      current.site.manifest.entry,
    );
    await opened.go('/about');
    expect(opened.payloads()).toEqual(['/about']);

    const names = await readdir(path.join(DIST_DIR, 'client/assets'));
    for (const name of some(
      names.filter(name => /\.(?:js|css|woff2)$/.test(name)),
      8,
    )) {
      const answer = await sendRequest(current.url, `/assets/${name}`);
      expect(answer.status, name).toBe(200);
      expect(answer.headers['cache-control']).toContain('immutable');
    }
    const chunk =
      (await readdir(path.join(DIST_DIR, 'client/assets'))).find(name => name.startsWith('hydrate-')) ?? '';
    expect(await readdir(path.join(second.distDir, 'client/assets'))).not.toContain(chunk);
    expect(opened.complaints).toEqual([]);
  });

  if (inFull) {
    it('a deploy gives the next navigation the new build, and keeps the draft', async ({
      open,
      deploy,
      replace,
      second,
    }) => {
      const old = await deploy(DIST_DIR);
      const watched = await open(`${old.url}/contacts`);
      const failed: string[] = [];
      watched.page.on('response', response => {
        if (response.status() >= 400) failed.push(new URL(response.url()).pathname);
      });
      await watched.page.locator('#subscribe-email').fill('zoe@example.com');
      const current = await replace(old, second.distDir);
      await watched.page.evaluate(() => document.querySelector<HTMLElement>('a[href="/about"]')?.click());
      await reloaded(watched, ['/contacts', '/about']);
      expect(await watched.page.locator('script[data-entry]').getAttribute('data-entry')).toBe(
        current.site.manifest.entry,
      );
      expect(await watched.page.locator('#subscribe-email').inputValue()).toBe('zoe@example.com');
      await watched.go('/blog');
      expect(watched.documents()).toEqual(['/contacts', '/about']);
      // Failed preloads of the old page are allowed.
      expect(failed.filter(address => !address.startsWith('/builds/meta/'))).toEqual([]);
    });
  }

  it('two builds that answer in turns still serve each page, without endless reloads', async ({
    open,
    deploy,
    second,
    startFront,
  }) => {
    const stages = [await deploy(DIST_DIR), await deploy(second.distDir)];
    const opened = await open(await startFront(stages), { prefetch: true });
    const all = ['/about', '/contacts', '/blog', '/about', '/', '/about', '/contacts', '/blog'];
    const tour = inFull ? all : all.slice(0, 4);
    for (const target of tour) {
      await opened.page.evaluate(
        href => document.querySelector<HTMLElement>(`a[href="${href}"]`)?.click(),
        target,
      );
      await eventually(() => opened.arrived(target));
      expect(await opened.page.locator('main h1').textContent()).not.toBe('Internal Server Error');
    }
    const loads = opened.documents().length;
    expect(loads).toBeLessThanOrEqual(tour.length + 1);
    await settled(opened.page);
    await settled(opened.page);
    expect(opened.documents()).toHaveLength(loads);
  });
});
