import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { postJson } from '../../support/send-request.ts';
import { type BuiltSite, startBuiltSite } from '../built-site.ts';
import { type MailBackend, startMailBackend } from '../mail-backend.ts';
import { untilNone } from '../stage.ts';

export interface KillsSizes {
  /** Number of processes to kill. */
  kills: number;
  /** New messages for each process. */
  messages: number;
  /** Number of steps between two kills. */
  stride: number;
  /** When the processes are killed, in turn. */
  moments: readonly Exclude<When, 'when all was done'>[];
  /** Factor by which the clocks of the processes run faster. */
  clockRate: number;
}

export interface KillsOutcome {
  /** How many processes ended at each of these times. */
  killed: Record<When, number>;
  sent: number;
  acknowledged: number;
  /** Acknowledged messages that the backend does not have. */
  lost: number;
  /** Messages of the backend that no test has sent, or that arrived again with another text. */
  wrong: number;
  /** Messages that the backend got again. It stores them once. */
  repeated: number;
  /** Messages left in the outbox at the end. */
  left: number;
}

type When = 'at a step' | 'on arrival' | 'before the answer' | 'when all was done';

const KILL_AT_STEP = path.resolve(import.meta.dirname, '../kill-at-step.ts');
const FAST_CLOCK = path.resolve(import.meta.dirname, '../fast-clock.ts');
/** Approximate number of steps of a process that accepts and delivers three messages. */
const LAST_STEP = 110;
const DONE_WITHIN_MS = 60_000;
/**
 * Longer than two minutes. If a new process has the id of a killed one, the lease of the killed one lasts
 * that long.
 */
const LAST_WITHIN_MS = 180_000;

/**
 * Fault 10: `kill -9` ends the process while it accepts and delivers messages: at each step in the outbox
 * folder, at the arrival of a message at the backend, and at the backend's response. Senders retry with the
 * same idempotency key.
 */
export async function kills(sizes: KillsSizes): Promise<KillsOutcome> {
  const { kills, messages, stride, moments } = sizes;
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'kills-'));
  const backend = await startMailBackend();
  const killed: KillsOutcome['killed'] = {
    'at a step': 0,
    'on arrival': 0,
    'before the answer': 0,
    'when all was done': 0,
  };
  const sent = new Map<string, string>();
  const acknowledged = new Set<string>();
  let step = 0;

  async function send(url: string): Promise<void> {
    const unanswered = [...sent].filter(([key]) => !acknowledged.has(key));
    const posts = unanswered.map(async ([idempotencyKey, email]) => {
      const answer = await postJson(url, '/api/email/send', { form: 'subscribe', email, idempotencyKey });
      if (answer.status === 202) acknowledged.add(idempotencyKey);
    });
    await Promise.allSettled(posts);
  }

  async function runProcess(when: When): Promise<void> {
    for (let count = 0; count < messages; count += 1) {
      const key = randomUUID();
      sent.set(key, `${key}@example.com`);
    }
    if (when === 'at a step') step = (step + stride) % LAST_STEP;
    const site = await start(sizes, backend, dataDir, when === 'at a step' ? step : null);
    // The process was killed before it listened.
    if (site === null) {
      killed[when] += 1;
      return;
    }
    const kill = () => void site.child.kill('SIGKILL');
    if (when === 'on arrival') backend.onArrival = kill;
    if (when === 'before the answer') backend.onAnswer = kill;
    const isRunning = () => site.child.exitCode === null && site.child.signalCode === null;
    await send(site.url);
    await untilNone(async () => (isRunning() ? missing() : 0), DONE_WITHIN_MS);
    // The step of the kill may come after the last delivery, while the process shuts down.
    if (isRunning()) await Promise.race([site.end('SIGTERM'), delay(DONE_WITHIN_MS)]);
    killed[site.child.signalCode === 'SIGKILL' ? when : 'when all was done'] += 1;
    backend.onArrival = () => {};
    backend.onAnswer = () => {};
    await site.dispose();
  }

  const missing = () => [...acknowledged].filter(key => !backend.messages.has(key)).length;

  try {
    for (let count = 0; count < kills; count += 1)
      await runProcess(moments[count % moments.length] ?? 'at a step');
    const last = await start(sizes, backend, dataDir, null);
    if (last === null) throw new Error('The last process does not start');
    // A busy site refuses some messages, so the senders try again.
    const unacknowledged = () => send(last.url).then(() => sent.size - acknowledged.size);
    await untilNone(unacknowledged, DONE_WITHIN_MS);
    const waiting = () => messagesIn(path.join(dataDir, 'outbox', 'waiting'));
    await untilNone(async () => missing() + (await waiting()), LAST_WITHIN_MS);
    await last.dispose();
    const dead = await messagesIn(path.join(dataDir, 'outbox', 'dead'));
    return {
      killed,
      sent: sent.size,
      acknowledged: acknowledged.size,
      lost: missing(),
      wrong: [...backend.messages.keys()].filter(key => !sent.has(key)).length + backend.different,
      repeated: backend.repeated,
      left: (await waiting()) + dead,
    };
  } finally {
    await backend.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Counts only messages: a process that is killed while it probes the folder leaves its probe file there. */
async function messagesIn(folder: string): Promise<number> {
  return (await readdir(folder)).filter(name => name.endsWith('.json')).length;
}

/** @returns the site, or null if the process was killed before it listened. */
async function start(
  { clockRate }: KillsSizes,
  backend: MailBackend,
  dataDir: string,
  step: number | null,
): Promise<BuiltSite | null> {
  try {
    return await startBuiltSite({
      contentBaseUrl: backend.url,
      dataDir,
      unready: true,
      env: {
        FORM_RATE_LIMIT: '100000',
        ...(clockRate === 1 ? {} : { CLOCK_RATE: String(clockRate) }),
        ...(step === null ? {} : { KILL_AT_STEP: String(step) }),
      },
      nodeArguments: [
        ...(clockRate === 1 ? [] : ['--import', FAST_CLOCK]),
        ...(step === null ? [] : ['--import', KILL_AT_STEP]),
      ],
    });
  } catch (error) {
    if (step === null) throw error;
    return null;
  }
}
