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

/** The browsers in the order of the search: the user agent of each also names browsers after it. */
const BROWSERS = [
  ['isSamsung', /SamsungBrowser\//i],
  ['isEdge', /\bEdg(?:e|A|iOS)?\//i],
  ['isFirefox', /Firefox\/|FxiOS\//i],
  ['isChrome', /Chrome\/|Chromium\/|CriOS\//i],
  ['isSafari', /Safari\//i],
] as const;

/** Phones that name neither iPhone nor Android. */
const OTHER_PHONES = /Windows Phone|IEMobile|BlackBerry|BB10|Opera Mini|Opera Mobi|KAIOS|\bMobile\b/i;
const OTHER_TABLETS = /Kindle|Silk\/|PlayBook|\(Tablet;/i;

/**
 * @param options.maxTouchPoints the browser's `navigator.maxTouchPoints`. iPadOS calls itself a Macintosh by default, but no Macintosh has
 *   touch points.
 */
export function deviceFlagsFromUserAgent(
  userAgent: string,
  options: { maxTouchPoints?: number } = {},
): DeviceFlags {
  // A Windows Phone also names Android and iPhone.
  const isWindowsPhone = /Windows Phone/i.test(userAgent);
  const isMacintosh = /Macintosh|Mac OS X/i.test(userAgent) && !/like Mac OS X/i.test(userAgent);
  const isIpad = /iPad/i.test(userAgent) || (isMacintosh && (options.maxTouchPoints ?? 0) > 1);
  const isIphone = !isWindowsPhone && /iPhone|iPod/i.test(userAgent);
  const isIos = isIpad || isIphone;
  const isAndroid = !isWindowsPhone && /Android/i.test(userAgent);

  // An Android user agent without `Mobile` is that of a tablet, as Google tells the makers of devices.
  const isTablet =
    isIpad ||
    OTHER_TABLETS.test(userAgent) ||
    (isAndroid && !/\bMobile\b|Opera Mini|Opera Mobi/i.test(userAgent));
  const isMobile = !isTablet && (isIphone || OTHER_PHONES.test(userAgent));
  const isMacOS = isMacintosh && !isIos;
  const browser = BROWSERS.find(([, pattern]) => pattern.test(userAgent))?.[0];

  return {
    ...classFlags(isMobile ? 'mobile' : isTablet ? 'tablet' : 'desktop'),
    isIos,
    isAndroid,
    isWindows: /Windows/i.test(userAgent),
    isMacOS,
    isApple: isMacOS || isIos,
    isLinux: !isAndroid && !isWindowsPhone && /Linux|CrOS/i.test(userAgent),
    ...(browser && { [browser]: true }),
    userAgent,
  };
}

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
