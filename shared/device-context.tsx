import type { ReactNode } from 'react';
import type { DeviceClass, DeviceFlags } from './device.ts';
export function DeviceProvider({ children }: { initialClass: DeviceClass | null; refreshOnResize: boolean; children: ReactNode }) { return <>{children}</>; }
export function useDevice(): DeviceFlags { return { isMobile: false }; }
