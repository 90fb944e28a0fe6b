import { Counter, Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createCount, createHistogram } from '../../server/ops/counted.ts';

/** Histogram buckets of the site, in seconds. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

it('counters have the same text as those of prom-client', async () => {
  const [own, theirs] = [new Registry(), new Registry()];
  const calls = createCount({ name: 'calls', help: 'Calls' }, ['type', 'outcome']);
  const plain = createCount({ name: 'plain', help: 'No labels' }, []);
  calls.addTo(own);
  plain.addTo(own);
  const names = { labelNames: ['type', 'outcome'], registers: [theirs] };
  const counter = new Counter({ name: 'calls', help: 'Calls', ...names });
  const plainCounter = new Counter({ name: 'plain', help: 'No labels', registers: [theirs] });
  expect(await own.metrics()).toBe(await theirs.metrics());

  for (const [type, outcome] of [
    ['a', 'hit'],
    ['a', 'miss'],
    ['a', 'hit'],
  ] as const) {
    calls.add(type, outcome);
    counter.inc({ type, outcome });
  }
  plain.add();
  plainCounter.inc();
  expect(await own.metrics()).toBe(await theirs.metrics());
  // A scrape resets nothing.
  expect(await own.metrics()).toBe(await theirs.metrics());
});

it('durations have the same text as those of prom-client', async () => {
  const [own, theirs] = [new Registry(), new Registry()];
  const durations = createHistogram({ name: 'requests', help: 'Requests' }, ['route', 'status']);
  const renders = createHistogram({ name: 'renders', help: 'Renders' }, []);
  durations.addTo(own);
  renders.addTo(own);
  const names = { labelNames: ['route', 'status'], buckets, registers: [theirs] };
  const histogram = new Histogram({ name: 'requests', help: 'Requests', ...names });
  const theirRenders = new Histogram({ name: 'renders', help: 'Renders', buckets, registers: [theirs] });
  expect(await own.metrics()).toBe(await theirs.metrics());

  // Durations on a bound, between two bounds, and beyond the last one.
  for (const [route, status, ms] of [
    ['home', 200, 0.5],
    ['home', 200, 3],
    ['article', 404, 9_000],
  ] as const) {
    durations.of(route, String(status)).note(ms);
    histogram.observe({ route, status }, ms / 1_000);
  }
  renders.of().note(12);
  theirRenders.observe(0.012);
  expect(await own.metrics()).toBe(await theirs.metrics());
});
