import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { classFlags, type DeviceClass, type DeviceFlags } from './device.ts';

const DeviceContext = createContext<DeviceFlags>(classFlags('desktop'));

/** @returns the flags. On the server and in the first render, only the device class is set. */
export function useDevice(): DeviceFlags {
  return useContext(DeviceContext);
}

interface DeviceProviderProps {
  initialClass: DeviceClass | null;
  refreshOnResize: boolean;
  children?: ReactNode;
}

/** Provides the server's device class for hydration, and all flags after mount. */
export function DeviceProvider({ initialClass, refreshOnResize, children }: DeviceProviderProps): ReactNode {
  const [flags, setFlags] = useState(() => classFlags(initialClass ?? 'desktop'));

  useEffect(() => {
    let isMounted = true;
    let stop: (() => void) | undefined;
    // Load late, because the first render needs only the device class. If loading fails, nothing changes.
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
