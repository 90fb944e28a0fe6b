import type { Dispatch, SetStateAction } from 'react';
import { RESIZE_REFRESH_DELAY_MS } from '../constants.ts';
import {
  DEVICE_TIMING,
  type DeviceClass,
  type DeviceFlags,
  deviceClass,
  flagsOfClass,
  systemFlags,
} from './device.ts';
import { deviceFlagsFromUserAgent } from './device-from-agent.ts';

/** Sets new flags only if one changes. @returns a function that stops watching resizes, if it watches. */
export function watchDevice(
  initialClass: DeviceClass | null,
  refreshOnResize: boolean,
  setFlags: Dispatch<SetStateAction<DeviceFlags>>,
): (() => void) | undefined {
  // Prefer a class that differs from the user agent's: only the CDN can have found it.
  const byEdge =
    initialClass !== null && deviceClass(deviceFlagsFromUserAgent(navigator.userAgent)) !== initialClass
      ? flagsOfClass(initialClass)
      : null;
  const refresh = () => {
    const { userAgent, maxTouchPoints } = navigator;
    const next = {
      ...deviceFlagsFromUserAgent(userAgent, { maxTouchPoints }),
      ...byEdge,
      ...systemByEdge(),
    };
    setFlags(current => (sameFlags(current, next) ? current : next));
  };
  refresh();
  return refreshOnResize ? onResizeEnd(window, refresh) : undefined;
}

/** @returns the system found by the CDN. Browsers expose `Server-Timing` over HTTPS only. */
function systemByEdge(): Partial<DeviceFlags> {
  const [page] = performance.getEntriesByType('navigation') as Partial<PerformanceNavigationTiming>[];
  const system = page?.serverTiming?.find(({ name }) => name === DEVICE_TIMING)?.description;
  return system === 'ios' || system === 'android' ? systemFlags(system) : {};
}

export function onResizeEnd(target: EventTarget, callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onResize = () => {
    clearTimeout(timer);
    timer = setTimeout(callback, RESIZE_REFRESH_DELAY_MS);
  };
  target.addEventListener('resize', onResize);
  return () => {
    clearTimeout(timer);
    target.removeEventListener('resize', onResize);
  };
}

function sameFlags(one: DeviceFlags, other: DeviceFlags): boolean {
  return (Object.keys(one) as (keyof DeviceFlags)[]).every(name => one[name] === other[name]);
}
