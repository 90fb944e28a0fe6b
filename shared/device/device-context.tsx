import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { classFlags, type DeviceClass, type DeviceFlags } from './device.ts';

const DeviceContext = createContext<DeviceFlags>(classFlags('desktop'));

/** On the server and in the first render only the flags of the device class are set. */
export function useDevice(): DeviceFlags {
  return useContext(DeviceContext);
}

interface DeviceProviderProps {
  /** Null when the page does not depend on the device. */
  initialClass: DeviceClass | null;
  /** `DEVICE_REFRESH_ON_RESIZE`. */
  refreshOnResize: boolean;
  children?: ReactNode;
}

/** Provides the server's device class first, for hydration, and all flags after mount. */
export function DeviceProvider({ initialClass, refreshOnResize, children }: DeviceProviderProps): ReactNode {
  const [flags, setFlags] = useState(() => classFlags(initialClass ?? 'desktop'));

  useEffect(() => {
    let isMounted = true;
    let stop: (() => void) | undefined;
    // The first render does not need this code. Without it the visitor keeps the flags of the class.
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
