import type { Dispatch, SetStateAction } from 'react';
import { RESIZE_REFRESH_DELAY_MS } from '../constants.ts';
import {
  classFlags,
  DEVICE_TIMING,
  type DeviceClass,
  type DeviceFlags,
  deviceClass,
  systemFlags,
} from './device.ts';
import { deviceFlagsFromUserAgent } from './device-from-agent.ts';

/**
 * Determines all flags in the browser, and again after each resize where this is asked for.
 *
 * @param initialClass the class for which the server has rendered the page; null when the page does not depend on it.
 * @param setFlags gets the flags that were there before where nothing has changed, so that nothing is rendered.
 * @returns a function that ends the watch; undefined without one.
 */
export function watchDevice(
  initialClass: DeviceClass | null,
  refreshOnResize: boolean,
  setFlags: Dispatch<SetStateAction<DeviceFlags>>,
): (() => void) | undefined {
  // A class other than the user agent's comes from the edge (the CDN), whose headers have priority.
  const byEdge =
    initialClass !== null && deviceClass(deviceFlagsFromUserAgent(navigator.userAgent)) !== initialClass
      ? pickClassFlags(classFlags(initialClass))
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

/** The flags of the system that the edge has found, from the page's `Server-Timing`. Browsers expose it over HTTPS only. */
function systemByEdge(): Partial<DeviceFlags> {
  const [page] = performance.getEntriesByType('navigation') as Partial<PerformanceNavigationTiming>[];
  const system = page?.serverTiming?.find(({ name }) => name === DEVICE_TIMING)?.description;
  return system === 'ios' || system === 'android' ? systemFlags(system) : {};
}

/** The flags that a device class decides, picked from all flags. */
function pickClassFlags({ isMobile, isTablet, isDesktop, isMobileOrTablet, isDesktopOrTablet }: DeviceFlags) {
  return { isMobile, isTablet, isDesktop, isMobileOrTablet, isDesktopOrTablet };
}

/**
 * Calls back once, RESIZE_REFRESH_DELAY_MS after the last of a series of resizes.
 *
 * @returns a function that removes the listener and cancels a waiting call
 */
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

/** Whether two sets of flags are equal, so that a resize without a change renders nothing. */
function sameFlags(one: DeviceFlags, other: DeviceFlags): boolean {
  return (Object.keys(one) as (keyof DeviceFlags)[]).every(name => one[name] === other[name]);
}
