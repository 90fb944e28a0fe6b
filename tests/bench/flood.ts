// node tests/bench/flood.ts URL KIND PER_SECOND SECONDS FIRST
// Sends requests at even intervals. A separate process is used, because reading the answers would delay the
// measurement. Prints the answers as JSON. FIRST is the number of the first request. Each number requests a
// different address.

import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { type AskOptions, askAnyway, keepAlive, statusesOf } from '../faults/client.ts';
import { FLOODS, type FloodKind } from './flood-kinds.ts';
import { median } from './load.ts';

export interface FloodResult {
  statuses: Record<number, number>;
  medianMs: number;
  slowestMs: number;
}

const [url = '', kind = '', perSecond = '', seconds = '', first = ''] = process.argv.slice(2);
const requestOf = FLOODS[kind as FloodKind];
// The measured visits have a higher priority than this flood.
os.setPriority(19);
const agent = keepAlive(1_024);
const count = Math.round(Number(perSecond) * Number(seconds));
const startedAt = performance.now();
const answers: ReturnType<typeof askAnyway>[] = [];
while (answers.length < count) {
  const due = Math.min(count, ((performance.now() - startedAt) / 1_000) * Number(perSecond));
  for (; answers.length < due; ) {
    const { path, ...options }: AskOptions & { path: string } = requestOf(Number(first) + answers.length);
    answers.push(askAnyway(url, path, { agent, ...options }));
  }
  await delay(1);
}
const replies = await Promise.all(answers);
agent.destroy();
const times = replies.map(({ ms }) => ms);
const result: FloodResult = {
  statuses: statusesOf(replies),
  medianMs: median(times),
  slowestMs: Math.max(...times),
};
console.log(JSON.stringify(result));
