/** The device class. Pages that depend on it have three cached variants. Other flags are set after mount. */
export type DeviceClass = 'mobile' | 'tablet' | 'desktop';

const NO_FLAGS = {
  isMobile: false,
  isTablet: false,
  /** True even if the device is unknown. */
  isDesktop: false,
  isMobileOrTablet: false,
  isDesktopOrTablet: false,
  isIos: false,
  isAndroid: false,
  isWindows: false,
  isMacOS: false,
  isApple: false,
  /** Includes ChromeOS but not Android. */
  isLinux: false,
  isSafari: false,
  isFirefox: false,
  isEdge: false,
  isChrome: false,
  isSamsung: false,
  /** Always false in the browser, because only the server has the patterns of crawlers. */
  isCrawler: false,
  userAgent: '',
};

export type DeviceFlags = typeof NO_FLAGS;

type EdgeSystem = 'ios' | 'android';

/** The `Server-Timing` entry whose description is the `EdgeSystem`. */
export const DEVICE_TIMING = 'device';

export function systemFlags(system: EdgeSystem): Partial<DeviceFlags> {
  const isIos = system === 'ios';
  return { isIos, isAndroid: !isIos, isApple: isIos, isMacOS: false, isWindows: false, isLinux: false };
}

export function deviceClass(flags: DeviceFlags): DeviceClass {
  if (flags.isMobile) return 'mobile';
  return flags.isTablet ? 'tablet' : 'desktop';
}

/** The flags that follow from the class. */
export function flagsOfClass(deviceClass: DeviceClass): Partial<DeviceFlags> {
  const isMobile = deviceClass === 'mobile';
  const isDesktop = deviceClass === 'desktop';
  const isTablet = deviceClass === 'tablet';
  return { isMobile, isTablet, isDesktop, isMobileOrTablet: !isDesktop, isDesktopOrTablet: !isMobile };
}

/** @returns the flags of a class only, for equal markup on the server and in the first render. */
export function classFlags(deviceClass: DeviceClass): DeviceFlags {
  return { ...NO_FLAGS, ...flagsOfClass(deviceClass) };
}
