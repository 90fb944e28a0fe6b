import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { capture, type FakeBackend, startFakeBackend } from '../support/fake-backend.ts';
import { heldAnswer } from '../support/held-answer.ts';
import { inFull, some } from '../support/in-full.ts';
import { copyProject, type ProjectCopy, type RunningCommand, runCommand } from '../support/run-command.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';

let backend: FakeBackend;
let copy: ProjectCopy;
let running: RunningCommand | undefined;

beforeAll(async () => {
  [backend, copy] = await Promise.all([startFakeBackend(), copyProject()]);
});
beforeEach(() => backend.reset());
afterEach(async () => {
  await running?.dispose();
  running = undefined;
});
afterAll(() => Promise.all([backend.close(), copy.remove()]));

const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGKILL'] as const;
const DEV_SIGNALS = ['SIGTERM', 'SIGKILL'] as const;
/** dash stays a process between npm and Node. bash, which is also the `sh` of macOS, is replaced by Node. */
const SHELLS = ['/bin/sh', '/bin/bash'].filter(shell => existsSync(shell));

const toNpm = (signal: NodeJS.Signals) => (npm: ChildProcess) => void npm.kill(signal);
/** Ctrl-C in a terminal reaches every process of the command. npm forwards it as well. */
const ctrlC = (npm: ChildProcess) => void process.kill(-(npm.pid ?? 0), 'SIGINT');

/** Stops npm during a render, and waits for the exit of the server. */
async function endNpm(
  { child: npm, url, lines }: RunningCommand,
  end: (npm: ChildProcess) => void,
): Promise<void> {
  const slow = heldAnswer(capture('v5-as-v4', 'pages.json'));
  backend.on('/api/pages', slow.behaviour);
  const underWay = sendRequest(url, '/about', { headers: AS_BROWSER });
  await eventually(() => expect(slow.waiting()).toBe(1));
  end(npm);
  await eventually(() => expect(lines().map(({ code }) => code)).toContain('stop-draining'));
  slow.release();
  expect((await underWay).status).toBe(200);
  await eventually(() => expect(lines().map(({ code }) => code)).toContain('stop-done'));
  await expect(sendRequest(url, '/about')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  if (npm.exitCode === null && npm.signalCode === null) await once(npm, 'exit');
}

describe.each(SHELLS)('with %s between npm and Node', shell => {
  // The short form sends one signal in each shell, and runs all other tests in the first shell.
  const hasAll = inFull || shell === SHELLS[0];
  const signals = inFull ? SIGNALS : hasAll ? (['SIGTERM'] as const) : (['SIGKILL'] as const);
  const env = () => ({
    CONTENT_BASE_URL: backend.url,
    CONTENT_TIMEOUT_MS: '60000',
    npm_config_script_shell: shell,
  });

  it.each(signals)('npm start: after %s to npm the server drains and frees its port', async signal => {
    running = await runCommand(['npm', 'start'], { env: env() });
    await endNpm(running, toNpm(signal));
  });

  if (!hasAll) return;

  it('npm start: Ctrl-C, which may reach the server twice, lets open requests finish', async () => {
    running = await runCommand(['npm', 'start'], { env: env() });
    await endNpm(running, ctrlC);
  });

  it.each(some(DEV_SIGNALS, 1))(
    'npm run dev: after %s to npm the server drains and frees its port',
    async signal => {
      running = await runCommand(['npm', 'run', 'dev'], { cwd: copy.folder, env: env() });
      await endNpm(running, toNpm(signal));
    },
  );
});

// The short form tests both ways only with `npm start`.
if (inFull) {
  it('npm run dev: Ctrl-C, which reaches the server twice, lets open requests finish', async () => {
    running = await runCommand(['npm', 'run', 'dev'], {
      cwd: copy.folder,
      env: { CONTENT_BASE_URL: backend.url },
    });
    await endNpm(running, ctrlC);
  });

  it('the server of npm run dev exits when the process in front of it is killed', async () => {
    running = await runCommand([process.execPath, 'build/dev.ts'], {
      cwd: copy.folder,
      env: { CONTENT_BASE_URL: backend.url },
    });
    const { child, opsUrl } = running;
    child.kill('SIGKILL');
    await eventually(() =>
      expect(sendRequest(opsUrl, '/livez')).rejects.toMatchObject({ code: 'ECONNREFUSED' }),
    );
  });
}

it('a server started without npm, as by nohup or systemd, outlives the shell that started it', async () => {
  const command = ['/bin/sh', '-c', 'node build/start.ts & wait'];
  const env = { CONTENT_BASE_URL: backend.url };
  running = await runCommand(command, { env });
  const withNpm = await runCommand(command, { env: { ...env, npm_lifecycle_event: 'start' } });
  try {
    for (const { child } of [running, withNpm]) child.kill('SIGKILL');
    // A server that watches its parent would have exited before this log entry.
    await eventually(() => expect(withNpm.lines().map(({ code }) => code)).toContain('stop-done'));
    expect((await sendRequest(running.url, '/about', { headers: AS_BROWSER })).status).toBe(200);
    expect(running.lines().map(({ code }) => code)).not.toContain('stop-draining');
  } finally {
    await withNpm.dispose();
  }
});
