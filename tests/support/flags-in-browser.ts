import type { Page } from 'playwright-core';
import type { DeviceFlags } from '../../shared/device/device.ts';

/** @returns the device flags that a page's components get, from the only React context that holds flags. */
export function flagsInBrowser(page: Page): Promise<DeviceFlags | null> {
  return page.evaluate(() => {
    interface Fiber {
      memoizedProps: { value?: DeviceFlags } | null;
      child: Fiber | null;
      sibling: Fiber | null;
    }
    const root = document.querySelector('#root') as unknown as Record<string, Fiber>;
    const container = Object.keys(root).find(name => name.startsWith('__reactContainer$'));
    const mounted = root[container ?? ''] as unknown as { stateNode: { current: Fiber } } | undefined;
    const waiting: (Fiber | null)[] = [mounted?.stateNode.current.child ?? null];
    for (const fiber of waiting) {
      if (!fiber) continue;
      const { value } = fiber.memoizedProps ?? {};
      if (typeof value === 'object' && value !== null && 'isIos' in value) return value;
      waiting.push(fiber.child, fiber.sibling);
    }
    return null;
  });
}
