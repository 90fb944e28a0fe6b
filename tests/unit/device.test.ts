import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEVICE_HEADERS, deviceFromRequest } from '../../server/http/device-from-request.ts';
import { RESIZE_REFRESH_DELAY_MS } from '../../shared/constants.ts';
import {
  classFlags,
  type DeviceClass,
  type DeviceFlags,
  deviceClass,
  deviceFlagsFromUserAgent,
} from '../../shared/device/device.ts';
import { DeviceProvider, onResizeEnd, useDevice } from '../../shared/device/device-context.tsx';

type System = 'ios' | 'android' | 'windows' | 'macos' | 'linux' | null;
type Browser = 'samsung' | 'edge' | 'firefox' | 'chrome' | 'safari' | null;

const KHTML = '(KHTML, like Gecko)';
const WEBKIT = `AppleWebKit/537.36 ${KHTML}`;
const APPLE = `AppleWebKit/605.1.15 ${KHTML}`;
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X)';

const USER_AGENTS: [name: string, userAgent: string, DeviceClass, System, Browser, isCrawler: boolean][] = [
  [
    'iPhone Safari',
    `${IPHONE} ${APPLE} Version/17.5 Mobile/15E148 Safari/604.1`,
    'mobile',
    'ios',
    'safari',
    false,
  ],
  [
    'iPhone Chrome',
    `${IPHONE} ${APPLE} CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1`,
    'mobile',
    'ios',
    'chrome',
    false,
  ],
  [
    'iPhone Firefox',
    `${IPHONE} ${APPLE} FxiOS/127.0 Mobile/15E148 Safari/605.1.15`,
    'mobile',
    'ios',
    'firefox',
    false,
  ],
  [
    'iPhone Edge',
    `${IPHONE} ${APPLE} Version/17.0 EdgiOS/125.0.2535.60 Mobile/15E148 Safari/605.1.15`,
    'mobile',
    'ios',
    'edge',
    false,
  ],
  ['iPhone web view', `${IPHONE} ${APPLE} Mobile/15E148`, 'mobile', 'ios', null, false],
  [
    'iPod touch',
    `Mozilla/5.0 (iPod touch; CPU iPhone OS 12_5 like Mac OS X) ${APPLE} Version/12.1 Mobile/15E148 Safari/604.1`,
    'mobile',
    'ios',
    'safari',
    false,
  ],
  [
    'iPad, old',
    `Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) ${APPLE} Version/12.1.2 Mobile/15E148 Safari/604.1`,
    'tablet',
    'ios',
    'safari',
    false,
  ],
  [
    'iPad Chrome',
    `Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) ${APPLE} CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1`,
    'tablet',
    'ios',
    'chrome',
    false,
  ],
  [
    'iPad in desktop mode, to a server',
    `${MAC} ${APPLE} Version/17.5 Safari/605.1.15`,
    'desktop',
    'macos',
    'safari',
    false,
  ],
  [
    'Pixel Chrome',
    `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/126.0.0.0 Mobile Safari/537.36`,
    'mobile',
    'android',
    'chrome',
    false,
  ],
  [
    'Android tablet Chrome',
    `Mozilla/5.0 (Linux; Android 13; SM-X906C) ${WEBKIT} Chrome/126.0.0.0 Safari/537.36`,
    'tablet',
    'android',
    'chrome',
    false,
  ],
  [
    'Samsung Internet',
    `Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-S918B) ${WEBKIT} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36`,
    'mobile',
    'android',
    'samsung',
    false,
  ],
  [
    'Samsung Internet on a tablet',
    `Mozilla/5.0 (Linux; Android 12; SAMSUNG SM-T870) ${WEBKIT} SamsungBrowser/23.0 Chrome/115.0.0.0 Safari/537.36`,
    'tablet',
    'android',
    'samsung',
    false,
  ],
  [
    'Android Edge',
    `Mozilla/5.0 (Linux; Android 10; HD1913) ${WEBKIT} Chrome/125.0.6422.165 Mobile Safari/537.36 EdgA/125.0.2535.51`,
    'mobile',
    'android',
    'edge',
    false,
  ],
  [
    'Android Firefox',
    'Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0',
    'mobile',
    'android',
    'firefox',
    false,
  ],
  [
    'Android Firefox on a tablet',
    'Mozilla/5.0 (Android 13; Tablet; rv:127.0) Gecko/127.0 Firefox/127.0',
    'tablet',
    'android',
    'firefox',
    false,
  ],
  [
    'Android Opera',
    `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/124.0.0.0 Mobile Safari/537.36 OPR/82.0.0.0`,
    'mobile',
    'android',
    'chrome',
    false,
  ],
  [
    'Kindle Fire',
    `Mozilla/5.0 (Linux; Android 9; KFMAWI) ${WEBKIT} Silk/122.4.1 like Chrome/122.0.6261.119 Safari/537.36`,
    'tablet',
    'android',
    'chrome',
    false,
  ],
  [
    'Opera Mini',
    'Opera/9.80 (J2ME/MIDP; Opera Mini/9.80/37.7011; U; en) Presto/2.12.423 Version/12.16',
    'mobile',
    null,
    null,
    false,
  ],
  [
    'Windows Phone',
    `Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) ${WEBKIT} Chrome/52.0.2743.116 Mobile Safari/537.36 Edge/15.15063`,
    'mobile',
    'windows',
    'edge',
    false,
  ],
  [
    'BlackBerry 10',
    `Mozilla/5.0 (BB10; Touch) AppleWebKit/537.10+ ${KHTML} Version/10.0.9.2372 Mobile Safari/537.10+`,
    'mobile',
    null,
    'safari',
    false,
  ],
  ['Mac Safari', `${MAC} ${APPLE} Version/17.4.1 Safari/605.1.15`, 'desktop', 'macos', 'safari', false],
  ['Mac Chrome', `${MAC} ${WEBKIT} Chrome/126.0.0.0 Safari/537.36`, 'desktop', 'macos', 'chrome', false],
  [
    'Mac Firefox',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 14.5; rv:127.0) Gecko/20100101 Firefox/127.0',
    'desktop',
    'macos',
    'firefox',
    false,
  ],
  [
    'Windows Chrome',
    `${WINDOWS} ${WEBKIT} Chrome/126.0.0.0 Safari/537.36`,
    'desktop',
    'windows',
    'chrome',
    false,
  ],
  [
    'Windows Edge',
    `${WINDOWS} ${WEBKIT} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0`,
    'desktop',
    'windows',
    'edge',
    false,
  ],
  [
    'Windows Edge, old',
    `${WINDOWS} ${WEBKIT} Chrome/70.0.3538.102 Safari/537.36 Edge/18.19582`,
    'desktop',
    'windows',
    'edge',
    false,
  ],
  [
    'Windows Firefox',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0',
    'desktop',
    'windows',
    'firefox',
    false,
  ],
  [
    'Internet Explorer on a Tablet PC',
    'Mozilla/5.0 (Windows NT 6.1; Trident/7.0; Tablet PC 2.0; rv:11.0) like Gecko',
    'desktop',
    'windows',
    null,
    false,
  ],
  [
    'Linux Chrome',
    `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/126.0.0.0 Safari/537.36`,
    'desktop',
    'linux',
    'chrome',
    false,
  ],
  [
    'Linux Firefox',
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
    'desktop',
    'linux',
    'firefox',
    false,
  ],
  [
    'ChromeOS',
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/126.0.0.0 Safari/537.36`,
    'desktop',
    'linux',
    'chrome',
    false,
  ],
  [
    'Googlebot',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'desktop',
    null,
    null,
    true,
  ],
  [
    'Googlebot smartphone',
    `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${WEBKIT} Chrome/126.0.6478.114 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
    'mobile',
    'android',
    'chrome',
    true,
  ],
  [
    'Bingbot',
    `Mozilla/5.0 ${WEBKIT.replace('Gecko)', 'Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)')} Chrome/116.0.1938.76 Safari/537.36`,
    'desktop',
    null,
    'chrome',
    true,
  ],
  [
    'GPTBot',
    `Mozilla/5.0 ${WEBKIT.replace('Gecko)', 'Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)')}`,
    'desktop',
    null,
    null,
    true,
  ],
  [
    'facebookexternalhit',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'desktop',
    null,
    null,
    true,
  ],
  ['Twitterbot', 'Twitterbot/1.0', 'desktop', null, null, true],
  [
    'YandexBot',
    'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
    'desktop',
    null,
    null,
    true,
  ],
  [
    'headless Chrome',
    `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/126.0.0.0 Safari/537.36`,
    'desktop',
    'linux',
    'chrome',
    true,
  ],
  ['curl', 'curl/8.7.1', 'desktop', null, null, true],
  ['CloudFront', 'Amazon CloudFront', 'desktop', null, null, false],
  ['nothing', '', 'desktop', null, null, false],
];

function expectedFlags(
  device: DeviceClass,
  system: System,
  browser: Browser,
  isCrawler: boolean,
): Omit<DeviceFlags, 'userAgent'> {
  return {
    isMobile: device === 'mobile',
    isTablet: device === 'tablet',
    isDesktop: device === 'desktop',
    isMobileOrTablet: device !== 'desktop',
    isDesktopOrTablet: device !== 'mobile',
    isIos: system === 'ios',
    isAndroid: system === 'android',
    isWindows: system === 'windows',
    isMacOS: system === 'macos',
    isApple: system === 'macos' || system === 'ios',
    isLinux: system === 'linux',
    isSafari: browser === 'safari',
    isFirefox: browser === 'firefox',
    isEdge: browser === 'edge',
    isChrome: browser === 'chrome',
    isSamsung: browser === 'samsung',
    isCrawler,
  };
}

describe('device flags', () => {
  it.each(USER_AGENTS)('of %s', (_name, userAgent, device, system, browser, isCrawler) => {
    expect(deviceFromRequest({ 'user-agent': userAgent })).toEqual({
      ...expectedFlags(device, system, browser, isCrawler),
      userAgent,
    });
    const inBrowser = deviceFlagsFromUserAgent(userAgent);
    expect(inBrowser).toEqual({ ...expectedFlags(device, system, browser, false), userAgent });
    expect(deviceClass(inBrowser)).toBe(device);
  });

  it('recognise an iPad in desktop mode by its touch points, and no other computer', () => {
    const userAgent = `${MAC} ${APPLE} Version/17.5 Safari/605.1.15`;
    expect(deviceFlagsFromUserAgent(userAgent, { maxTouchPoints: 5 })).toEqual({
      ...expectedFlags('tablet', 'ios', 'safari', false),
      userAgent,
    });
    expect(deviceFlagsFromUserAgent(userAgent, { maxTouchPoints: 0 }).isDesktop).toBe(true);
    expect(deviceFlagsFromUserAgent(userAgent, { maxTouchPoints: 1 }).isDesktop).toBe(true);
    const touchLaptop = `${WINDOWS} ${WEBKIT} Chrome/126.0.0.0 Safari/537.36`;
    expect(deviceFlagsFromUserAgent(touchLaptop, { maxTouchPoints: 10 }).isDesktop).toBe(true);
  });

  it('are those of a request without any header', () => {
    expect(deviceFromRequest({})).toEqual({ ...classFlags('desktop') });
  });

  it.each(['mobile', 'tablet', 'desktop'] as const)('of the class %s alone', device => {
    expect(classFlags(device)).toEqual({ ...expectedFlags(device, null, null, false), userAgent: '' });
    expect(deviceClass(classFlags(device))).toBe(device);
  });
});

describe('edge headers', () => {
  const MAC_CHROME = `${MAC} ${WEBKIT} Chrome/126.0.0.0 Safari/537.36`;
  const PHONE = `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/126.0.0.0 Mobile Safari/537.36`;

  it.each<[Record<string, string>, string, DeviceClass, System]>([
    [{ 'cloudfront-is-mobile-viewer': 'true' }, MAC_CHROME, 'mobile', 'macos'],
    [{ 'cloudfront-is-tablet-viewer': 'true' }, MAC_CHROME, 'tablet', 'macos'],
    [{ 'cloudfront-is-desktop-viewer': 'true' }, PHONE, 'desktop', 'android'],
    [{ 'cloudfront-is-ios-viewer': 'true' }, MAC_CHROME, 'desktop', 'ios'],
    [{ 'cloudfront-is-android-viewer': 'true' }, MAC_CHROME, 'desktop', 'android'],
    [{ 'cf-device-type': 'mobile' }, MAC_CHROME, 'mobile', 'macos'],
    [{ 'cf-device-type': 'tablet' }, MAC_CHROME, 'tablet', 'macos'],
    [{ 'cf-device-type': 'desktop' }, PHONE, 'desktop', 'android'],
    [{ 'cf-device-type': ' Tablet ' }, PHONE, 'tablet', 'android'],
    // What is not known is not believed.
    [{ 'cf-device-type': 'tv' }, PHONE, 'mobile', 'android'],
    [{ 'cf-device-type': '' }, PHONE, 'mobile', 'android'],
    [{ 'cf-device-type': 'constructor' }, PHONE, 'mobile', 'android'],
    [{ 'cloudfront-is-desktop-viewer': '1' }, PHONE, 'mobile', 'android'],
    [{ 'cloudfront-is-mobile-viewer': 'false' }, PHONE, 'mobile', 'android'],
    [{ 'cloudfront-is-android-viewer': 'false' }, PHONE, 'mobile', 'android'],
    // Several at once.
    [
      { 'cloudfront-is-mobile-viewer': 'true', 'cloudfront-is-tablet-viewer': 'true' },
      MAC_CHROME,
      'tablet',
      'macos',
    ],
    [
      { 'cloudfront-is-desktop-viewer': 'true', 'cloudfront-is-tablet-viewer': 'true' },
      PHONE,
      'desktop',
      'android',
    ],
    [{ 'cloudfront-is-tablet-viewer': 'true', 'cf-device-type': 'mobile' }, MAC_CHROME, 'tablet', 'macos'],
    [{ 'cloudfront-is-tablet-viewer': 'false', 'cf-device-type': 'mobile' }, MAC_CHROME, 'mobile', 'macos'],
    [{ 'cloudfront-is-ios-viewer': 'true', 'cloudfront-is-android-viewer': 'true' }, PHONE, 'mobile', 'ios'],
    [
      { 'cloudfront-is-mobile-viewer': 'true', 'cloudfront-is-ios-viewer': 'true' },
      MAC_CHROME,
      'mobile',
      'ios',
    ],
  ])('%j', (headers, userAgent, device, system) => {
    expect(deviceFromRequest({ ...headers, 'user-agent': userAgent })).toEqual({
      ...expectedFlags(device, system, 'chrome', false),
      userAgent,
    });
  });

  it('are named for caches outside', () => {
    expect(DEVICE_HEADERS).toContain('User-Agent');
    expect(DEVICE_HEADERS).toContain('CloudFront-Is-Mobile-Viewer');
    expect(DEVICE_HEADERS).toContain('CF-Device-Type');
  });

  it('are all there is to know behind CloudFront, which is no crawler', () => {
    const headers = { 'cloudfront-is-mobile-viewer': 'true', 'cloudfront-is-android-viewer': 'true' };
    expect(deviceFromRequest({ ...headers, 'user-agent': 'Amazon CloudFront' })).toEqual({
      ...expectedFlags('mobile', 'android', null, false),
      userAgent: 'Amazon CloudFront',
    });
  });
});

function Probe() {
  return JSON.stringify(useDevice());
}

describe('the device context', () => {
  it.each([
    ['mobile', 'mobile'],
    ['tablet', 'tablet'],
    ['desktop', 'desktop'],
    [null, 'desktop'],
  ] as const)('renders for %s with the flags of the class %s alone', (initialClass, device) => {
    const provider = { initialClass, refreshOnResize: true };
    const page = createElement(DeviceProvider, provider, createElement(Probe));
    const markup = renderToStaticMarkup(page).replaceAll('&quot;', '"');
    expect(JSON.parse(markup)).toEqual(classFlags(device));
  });
});

describe('resize', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('calls back once, after the last of a series, and never after its end', () => {
    const target = new EventTarget();
    const callback = vi.fn();
    const end = onResizeEnd(target, callback);
    for (let count = 0; count < 5; count += 1) {
      target.dispatchEvent(new Event('resize'));
      vi.advanceTimersByTime(RESIZE_REFRESH_DELAY_MS - 1);
    }
    expect(callback).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(callback).toHaveBeenCalledTimes(1);

    target.dispatchEvent(new Event('resize'));
    end();
    target.dispatchEvent(new Event('resize'));
    vi.advanceTimersByTime(1_000);
    expect(callback).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
