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
  /** How often the process is killed. */
  kills: number;
  /** New messages for each process. */
  messages: number;
  /** From the step of one kill to that of the next. */
  stride: number;
}

export interface KillsOutcome {
  /** Kills, by when they came. */
  killed: Record<When, number>;
  sent: number;
  acknowledged: number;
  /** Acknowledged messages that the backend does not have. */
  lost: number;
  /** Messages that the backend has and nobody sent, or that came again and were others. */
  wrong: number;
  /** Messages that it was sent again: it keeps them once. */
  repeated: number;
  /** Messages left in the outbox at the end. */
  left: number;
}

type When = 'at a step' | 'on arrival' | 'before the answer' | 'when all was done';

const PRELOAD = path.resolve(import.meta.dirname, '../kill-at-step.ts');
/** A process that takes and delivers three messages has about so many steps. */
const LAST_STEP = 110;
const DONE_WITHIN_MS = 60_000;
/** A process may have got the number of one that was killed: then its claim counts until it is two minutes old. */
const LAST_WITHIN_MS = 180_000;

/**
 * Fault 10: the process is killed by `kill -9` while it takes and delivers messages: at each step of its own in the outbox, while
 * the backend has a message, and while its answer is on the way. Senders try again under the same key.
 */
export async function kills({ kills, messages, stride }: KillsSizes): Promise<KillsOutcome> {
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

  async function lifeOf(when: When): Promise<void> {
    for (let count = 0; count < messages; count += 1) {
      const key = randomUUID();
      sent.set(key, `${key}@example.com`);
    }
    if (when === 'at a step') step = (step + stride) % LAST_STEP;
    const site = await start(backend, dataDir, when === 'at a step' ? step : null);
    // The process was killed before it listened.
    if (site === null) {
      killed[when] += 1;
      return;
    }
    const kill = () => void site.child.kill('SIGKILL');
    if (when === 'on arrival') backend.onArrival = kill;
    if (when === 'before the answer') backend.onAnswer = kill;
    const isAlive = () => site.child.exitCode === null && site.child.signalCode === null;
    await send(site.url);
    await untilNone(async () => (isAlive() ? missing() : 0), DONE_WITHIN_MS);
    // The next step of the kill may come after a delivery.
    if (isAlive()) await Promise.race([site.end('SIGTERM'), delay(DONE_WITHIN_MS)]);
    killed[site.child.signalCode === 'SIGKILL' ? when : 'when all was done'] += 1;
    backend.onArrival = () => {};
    backend.onAnswer = () => {};
    await site.dispose();
  }

  const missing = () => [...acknowledged].filter(key => !backend.kept.has(key)).length;

  try {
    for (let count = 0; count < kills; count += 1) {
      if (count % 8 === 3) await lifeOf('on arrival');
      else if (count % 8 === 7) await lifeOf('before the answer');
      else await lifeOf('at a step');
    }
    const last = await start(backend, dataDir, null);
    if (last === null) throw new Error('The last process does not start');
    await send(last.url);
    const waiting = async () => (await readdir(path.join(dataDir, 'outbox', 'waiting'))).length;
    await untilNone(async () => missing() + (await waiting()), LAST_WITHIN_MS);
    await last.dispose();
    const dead = (await readdir(path.join(dataDir, 'outbox', 'dead'))).length;
    return {
      killed,
      sent: sent.size,
      acknowledged: acknowledged.size,
      lost: missing(),
      wrong: [...backend.kept.keys()].filter(key => !sent.has(key)).length + backend.different,
      repeated: backend.repeated,
      left: (await waiting()) + dead,
    };
  } finally {
    await backend.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** @returns null where the process ended before it listened. */
async function start(backend: MailBackend, dataDir: string, step: number | null): Promise<BuiltSite | null> {
  try {
    return await startBuiltSite({
      contentBaseUrl: backend.url,
      dataDir,
      unready: true,
      env: { FORM_RATE_LIMIT: '100000', ...(step === null ? {} : { KILL_AT_STEP: String(step) }) },
      nodeArguments: step === null ? [] : ['--import', PRELOAD],
    });
  } catch (error) {
    if (step === null) throw error;
    return null;
  }
}
