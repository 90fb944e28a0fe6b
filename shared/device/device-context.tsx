import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { RESIZE_REFRESH_DELAY_MS } from '../constants.ts';
import {
  classFlags,
  DEVICE_TIMING,
  type DeviceClass,
  type DeviceFlags,
  deviceClass,
  deviceFlagsFromUserAgent,
  systemFlags,
} from './device.ts';

const DeviceContext = createContext<DeviceFlags>(classFlags('desktop'));

/** The device flags. On the server and in the first render only the flags of the device class are set. */
export function useDevice(): DeviceFlags {
  return useContext(DeviceContext);
}

interface DeviceProviderProps {
  /** The class for which the server has rendered the page; null when the page does not depend on it. */
  initialClass: DeviceClass | null;
  /** Whether the flags are determined again after a resize (`DEVICE_REFRESH_ON_RESIZE`). */
  refreshOnResize: boolean;
  children?: ReactNode;
}

/** Provides the flags of the server's device class first, so that hydration finds the same markup, and all flags after mount. */
export function DeviceProvider({ initialClass, refreshOnResize, children }: DeviceProviderProps): ReactNode {
  const [flags, setFlags] = useState(() => classFlags(initialClass ?? 'desktop'));

  useEffect(() => {
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
  }, [initialClass, refreshOnResize]);

  return <DeviceContext value={flags}>{children}</DeviceContext>;
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
