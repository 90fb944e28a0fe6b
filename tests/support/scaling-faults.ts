// A scaling process for tests. The width in its order selects its behaviour.

import { setTimeout as delay } from 'node:timers/promises';
import type { ScaleOrder, ScalingMessage } from '../../server/media/scaling/scaling-messages.ts';

/**
 * Widths that cause a fault. Any other order is answered after BESIDE_MS, so that two orders can run side by
 * side.
 */
export const FAULTS = { memory: 1920, hang: 1280, abort: 960, environment: 640 } as const;
const BESIDE_MS = 300;

const kept: Buffer[] = [];

async function obey({ id, ...order }: ScaleOrder): Promise<ScalingMessage | null> {
  const width = order.kind === 'rendition' ? order.width : 0;
  if (width === FAULTS.memory) {
    for (;;) {
      kept.push(Buffer.alloc(4 * 1024 * 1024, 1));
      await delay(2);
    }
  }
  if (width === FAULTS.hang) return null;
  if (width === FAULTS.abort) process.abort();
  if (width === FAULTS.environment)
    return { kind: 'scaled', id, bytes: Buffer.from(JSON.stringify(Object.keys(process.env))) };
  await delay(BESIDE_MS);
  return { kind: 'scaled', id, bytes: Buffer.from('scaled') };
}

if (process.send) {
  process.on('disconnect', () => process.exit());
  process.on('message', async (order: ScaleOrder) => {
    const message = await obey(order);
    if (message) process.send?.(message);
  });
  process.send({ kind: 'ready' } satisfies ScalingMessage);
}
