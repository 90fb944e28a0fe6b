/**
 * What a user agent says of a device. Pages depend on the class alone (three cached variants); everything else is known
 * only after mount, see `device-context.tsx`.
 */
export type DeviceClass = 'mobile' | 'tablet' | 'desktop';

export interface DeviceFlags {
  isMobile: boolean;
  /** A tablet, and not a mobile. */
  isTablet: boolean;
  /** Neither mobile nor tablet: also what nothing is known of. */
  isDesktop: boolean;
  isMobileOrTablet: boolean;
  isDesktopOrTablet: boolean;
  isIos: boolean;
  isAndroid: boolean;
  isWindows: boolean;
  isMacOS: boolean;
  /** macOS or iOS. */
  isApple: boolean;
  /** Linux on a desk, ChromeOS included; Android is not meant. */
  isLinux: boolean;
  /** At most one of the five browsers is set. */
  isSafari: boolean;
  isFirefox: boolean;
  isEdge: boolean;
  isChrome: boolean;
  isSamsung: boolean;
  /** Always false in the browser: the patterns stay on the server. */
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

/** In the order in which they are looked for: each names those after it in its own user agent. */
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
 * @param options.maxTouchPoints the browser's `navigator.maxTouchPoints`. iPadOS calls itself a Macintosh by default; no
 * Macintosh has a touch screen, so touch points tell them apart.
 */
export function deviceFlagsFromUserAgent(
  userAgent: string,
  options: { maxTouchPoints?: number } = {},
): DeviceFlags {
  const isWindowsPhone = /Windows Phone/i.test(userAgent); // Which claims to be an Android and an iPhone, too.
  const isMacintosh = /Macintosh|Mac OS X/i.test(userAgent) && !/like Mac OS X/i.test(userAgent);
  const isIpad = /iPad/i.test(userAgent) || (isMacintosh && (options.maxTouchPoints ?? 0) > 1);
  const isIphone = !isWindowsPhone && /iPhone|iPod/i.test(userAgent);
  const isIos = isIpad || isIphone;
  const isAndroid = !isWindowsPhone && /Android/i.test(userAgent);

  // An Android that does not say Mobile is a tablet; so Google asks of its makers.
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

/** The systems that an edge names by headers of their own. */
export type EdgeSystem = 'ios' | 'android';

/** The entry of `Server-Timing` whose description is the `EdgeSystem` of a page. */
export const DEVICE_TIMING = 'device';

/** @returns the flags of a system, without those of class and browser. */
export function systemFlags(system: EdgeSystem): Partial<DeviceFlags> {
  const isIos = system === 'ios';
  return { isIos, isAndroid: !isIos, isApple: isIos, isMacOS: false, isWindows: false, isLinux: false };
}

/** The class of a device: which of the three cached variants of a page it gets. */
export function deviceClass(flags: DeviceFlags): DeviceClass {
  if (flags.isMobile) return 'mobile';
  return flags.isTablet ? 'tablet' : 'desktop';
}

/**
 * The flags of a class and no others: for rendering on the server and for the browser's first render, so that both come
 * to the same markup.
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
