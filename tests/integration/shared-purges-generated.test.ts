import fc from 'fast-check';
import { expect } from 'vitest';
import { currentAnswer } from '../support/current-answer.ts';
import { sendWebhook } from '../support/editable-backend.ts';
import {
  type FirstContent,
  firstContent,
  type GeneratedCms,
  startGeneratedCms,
} from '../support/generated-cms.ts';
import { applyEdit, type Edit, edits } from '../support/generated-edits.ts';
import { inFull } from '../support/in-full.ts';
import { patient } from '../support/patience.ts';
import { payloadPath } from '../support/payload-path.ts';
import { startRedis } from '../support/redis.ts';
import { redisTest as it } from '../support/redis-test.ts';
import { sameLog, startReplicas } from '../support/replicas.ts';
import type { RunningSite } from '../support/start-site.ts';

const SECRET = 'a-secret-of-the-backend';
const RUNS = inFull ? 6 : 1;

const freshOf = ({ site }: RunningSite) =>
  new Set([...site.pages.entries()].filter(({ isFresh }) => isFresh).map(({ key }) => key));

/** @returns the responses of a replica, by address, without the suggestions of 404 pages. */
async function answersOf({ url }: RunningSite, addresses: readonly string[]) {
  const found = new Map<string, string>();
  for (const address of addresses) {
    const { status, headers, text } = await currentAnswer(url, address);
    const isHelp = status === 404 || status === 410 || /^\{.*"statusCode":4\d\d/.test(text);
    found.set(address, [status, headers.location ?? '', isHelp ? 'an error page' : text].join('\n'));
  }
  return found;
}

const addressesOf = (cms: GeneratedCms) =>
  cms.addresses().flatMap(address => [address, payloadPath(address)]);

async function checkSequence(content: FirstContent, sequence: readonly Edit[]): Promise<void> {
  const cms = await startGeneratedCms(content);
  const redis = await startRedis();
  const replicas = await startReplicas(['a', 'b', 'c'], redis, {
    contentBaseUrl: cms.backend.url,
    env: {
      PUBLIC_URL: 'https://www.example.com',
      WEBHOOK_SECRET: SECRET,
      LOG_LEVEL: 'error',
      CONTENT_TTL_MS: '3600000',
    },
  });
  const done: string[] = [];
  try {
    for (const replica of replicas) await answersOf(replica, addressesOf(cms));
    for (const edit of sequence) {
      const event = applyEdit(cms, edit);
      if (!event) continue;
      done.push(edit.kind);
      const receiver = replicas[edit.at % replicas.length] ?? expect.fail();
      const before = new Map(replicas.map(replica => [replica, freshOf(replica)]));
      expect((await sendWebhook(receiver.url, SECRET, event)).status).toBe(200);
      await sameLog(replicas, redis);
      const stale = replicas.map(replica => {
        const fresh = freshOf(replica);
        return [...(before.get(replica) ?? [])].filter(key => !fresh.has(key)).sort();
      });
      const own = stale[replicas.indexOf(receiver)];
      expect(stale, `stale pages after ${done.join(', ')}`).toEqual(replicas.map(() => own));
      const addresses = addressesOf(cms);
      const right = await answersOf(receiver, addresses);
      for (const replica of replicas)
        expect(await answersOf(replica, addresses), `answers after ${done.join(', ')}`).toEqual(right);
    }
  } finally {
    for (const replica of replicas) await replica.close();
    await redis.dispose();
    await cms.close();
  }
}

it(
  'after generated edits each replica has the same stale pages, and none is wrong',
  () =>
    fc.assert(fc.asyncProperty(firstContent, edits(6, 7), checkSequence), {
      numRuns: RUNS,
      seed: 136,
      endOnFailure: true,
    }),
  patient(60_000),
);
