/**
 * The class of a device. A page may depend on the class, and is then cached in three variants. All other flags are set only after mount,
 * see `device-context.tsx`.
 */
export type DeviceClass = 'mobile' | 'tablet' | 'desktop';

export interface DeviceFlags {
  isMobile: boolean;
  /** A tablet, and not a mobile. */
  isTablet: boolean;
  /** Neither a mobile nor a tablet, also when the device is unknown. */
  isDesktop: boolean;
  isMobileOrTablet: boolean;
  isDesktopOrTablet: boolean;
  isIos: boolean;
  isAndroid: boolean;
  isWindows: boolean;
  isMacOS: boolean;
  /** macOS or iOS. */
  isApple: boolean;
  /** Linux on a desktop, including ChromeOS and without Android. */
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

/** The systems for which an edge (a CDN) has headers of their own. */
export type EdgeSystem = 'ios' | 'android';

/** The name of the `Server-Timing` entry whose description is the `EdgeSystem`. */
export const DEVICE_TIMING = 'device';

/** @returns the flags of a system, without those of class and browser. */
export function systemFlags(system: EdgeSystem): Partial<DeviceFlags> {
  const isIos = system === 'ios';
  return { isIos, isAndroid: !isIos, isApple: isIos, isMacOS: false, isWindows: false, isLinux: false };
}

/** @returns the class of a device, and with it the cached variant of a page. */
export function deviceClass(flags: DeviceFlags): DeviceClass {
  if (flags.isMobile) return 'mobile';
  return flags.isTablet ? 'tablet' : 'desktop';
}

/**
 * The flags of a class, without any others. The server and the first render in the browser use them, so that both render the same
 * markup.
 */
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
