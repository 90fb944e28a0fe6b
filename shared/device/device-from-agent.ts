import { classFlags, type DeviceFlags } from './device.ts';

/** Browsers in the order of the search: each user agent also names browsers further down. */
const BROWSERS = [
  ['isSamsung', /SamsungBrowser\//i],
  ['isEdge', /\bEdg(?:e|A|iOS)?\//i],
  ['isFirefox', /Firefox\/|FxiOS\//i],
  ['isChrome', /Chrome\/|Chromium\/|CriOS\//i],
  ['isSafari', /Safari\//i],
] as const;

const OTHER_PHONES = /Windows Phone|IEMobile|BlackBerry|BB10|Opera Mini|Opera Mobi|KAIOS|\bMobile\b/i;
const OTHER_TABLETS = /Kindle|Silk\/|PlayBook|\(Tablet;/i;

/** @param options.maxTouchPoints distinguishes an iPad, which calls itself a Macintosh. */
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

  // An Android user agent without `Mobile` is a tablet's.
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
