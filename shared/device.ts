export type DeviceClass = 'mobile' | 'tablet' | 'desktop';
export interface DeviceFlags { isMobile: boolean }
export const deviceClass = (_: DeviceFlags): DeviceClass => 'desktop';
