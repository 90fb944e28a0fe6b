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

/** The device flags. On the server and in the first render only those of the device class are set. */
export function useDevice(): DeviceFlags {
  return useContext(DeviceContext);
}

interface DeviceProviderProps {
  /** The class the server has rendered for; null where the page did not depend on it. */
  initialClass: DeviceClass | null;
  /** Compute the flags again after a resize (`DEVICE_REFRESH_ON_RESIZE`). */
  refreshOnResize: boolean;
  children?: ReactNode;
}

/** Renders with the server's device class first, so that hydration finds its markup, and with all flags after mount. */
export function DeviceProvider({ initialClass, refreshOnResize, children }: DeviceProviderProps): ReactNode {
  const [flags, setFlags] = useState(() => classFlags(initialClass ?? 'desktop'));

  useEffect(() => {
    // A class that the user agent does not have was found by the edge, and the edge wins over the user agent.
    const byEdge =
      initialClass !== null && deviceClass(deviceFlagsFromUserAgent(navigator.userAgent)) !== initialClass
        ? classOf(classFlags(initialClass))
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

/** The system that the edge has found, from the `Server-Timing` of the page. Browsers give it over HTTPS alone. */
function systemByEdge(): Partial<DeviceFlags> {
  const [page] = performance.getEntriesByType('navigation') as Partial<PerformanceNavigationTiming>[];
  const system = page?.serverTiming?.find(({ name }) => name === DEVICE_TIMING)?.description;
  return system === 'ios' || system === 'android' ? systemFlags(system) : {};
}

/** The flags that tell the class, without the rest. */
function classOf({ isMobile, isTablet, isDesktop, isMobileOrTablet, isDesktopOrTablet }: DeviceFlags) {
  return { isMobile, isTablet, isDesktop, isMobileOrTablet, isDesktopOrTablet };
}

/**
 * Calls back once, RESIZE_REFRESH_DELAY_MS after the last of a series of resizes.
 *
 * @returns ends it: the listener and a waiting call are gone
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

/** Spares the page a render when a resize has changed nothing. */
function sameFlags(one: DeviceFlags, other: DeviceFlags): boolean {
  return (Object.keys(one) as (keyof DeviceFlags)[]).every(name => one[name] === other[name]);
}
