import { Gauge, type Registry } from 'prom-client';
import type { QueueReport } from '../carrier.ts';

/** Adds the figures of the queue. They exist where OUTBOX_URL is set. */
export function createQueueMetrics(registry: Registry, report: () => QueueReport): void {
  const registers = [registry];
  new Gauge({
    name: 'site_queue_up',
    help: '1 while the queue of the outbox (OUTBOX_URL) can be used, else 0',
    registers,
    collect() {
      this.set(Number(report().isUp));
    },
  });
  new Gauge({
    name: 'site_queue_jobs',
    help: 'Messages in the queue of the outbox, by state; none while site_queue_up is 0',
    labelNames: ['state'],
    registers,
    collect() {
      this.reset();
      for (const [state, jobs] of Object.entries(report().jobs)) this.set({ state }, jobs);
    },
  });
}
