import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { classFlags, type DeviceClass, type DeviceFlags } from './device.ts';

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
    let isMounted = true;
    let stop: (() => void) | undefined;
    // The code is of no use to the first render. A visitor who cannot load it has the flags of the class.
    import('./found-device.ts').then(
      ({ watchDevice }) => {
        if (isMounted) stop = watchDevice(initialClass, refreshOnResize, setFlags);
      },
      () => {},
    );
    return () => {
      isMounted = false;
      stop?.();
    };
  }, [initialClass, refreshOnResize]);

  return <DeviceContext value={flags}>{children}</DeviceContext>;
}
