/** The device class. Pages that depend on it have three cached variants. Other flags are set after mount. */
export type DeviceClass = 'mobile' | 'tablet' | 'desktop';

export interface DeviceFlags {
  isMobile: boolean;
  isTablet: boolean;
  /** True even if the device is unknown. */
  isDesktop: boolean;
  isMobileOrTablet: boolean;
  isDesktopOrTablet: boolean;
  isIos: boolean;
  isAndroid: boolean;
  isWindows: boolean;
  isMacOS: boolean;
  isApple: boolean;
  /** Includes ChromeOS but not Android. */
  isLinux: boolean;
  /** At most one of the five browsers is set. */
  isSafari: boolean;
  isFirefox: boolean;
  isEdge: boolean;
  isChrome: boolean;
  isSamsung: boolean;
  /** Always false in the browser, because only the server has the patterns of crawlers. */
  isCrawler: boolean;
  userAgent: string;
}

const NO_FLAGS: DeviceFlags = {
  isMobile: false,
  isTablet: false,
  isDesktop: false,
  isMobileOrTablet: false,
  isDesktopOrTablet: false,
  isIos: false,
  isAndroid: false,
  isWindows: false,
  isMacOS: false,
  isApple: false,
  isLinux: false,
  isSafari: false,
  isFirefox: false,
  isEdge: false,
  isChrome: false,
  isSamsung: false,
  isCrawler: false,
  userAgent: '',
};

export type EdgeSystem = 'ios' | 'android';

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

/** @returns the flags of a class only, for equal markup on the server and in the first render. */
export function classFlags(deviceClass: DeviceClass): DeviceFlags {
  const isMobile = deviceClass === 'mobile';
  const isDesktop = deviceClass === 'desktop';
  return {
    ...NO_FLAGS,
    isMobile,
    isTablet: deviceClass === 'tablet',
    isDesktop,
    isMobileOrTablet: !isDesktop,
    isDesktopOrTablet: !isMobile,
  };
}
