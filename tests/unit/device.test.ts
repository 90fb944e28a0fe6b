import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  clientClass,
  DEVICE_HEADERS,
  deviceClassOf,
  deviceTiming,
  isCrawler as isCrawlerOf,
} from '../../server/http/request/device-from-request.ts';
import { RESIZE_REFRESH_DELAY_MS } from '../../shared/constants.ts';
import { classFlags, type DeviceClass, deviceClass } from '../../shared/device/device.ts';
import { DeviceProvider, useDevice } from '../../shared/device/device-context.tsx';
import { deviceFlagsFromUserAgent } from '../../shared/device/device-from-agent.ts';
import { onResizeEnd } from '../../shared/device/found-device.ts';
import {
  APPLE,
  expectedFlags,
  MAC,
  type System,
  USER_AGENTS,
  WEBKIT,
  WINDOWS,
} from '../support/user-agents.ts';

describe('device flags', () => {
  it.each(USER_AGENTS)(
    'device flags follow the user agent %s, on the server and in the browser',
    (_name, userAgent, device, system, browser, isCrawler) => {
      expect(deviceClassOf({ 'user-agent': userAgent })).toBe(device);
      expect(isCrawlerOf({ 'user-agent': userAgent })).toBe(isCrawler);
      const inBrowser = deviceFlagsFromUserAgent(userAgent);
      expect(inBrowser).toEqual({ ...expectedFlags(device, system, browser, false), userAgent });
      expect(deviceClass(inBrowser)).toBe(device);
    },
  );

  it('an iPad in desktop mode is recognised by its touch points, unlike a computer', () => {
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

  it('a request without headers has the class desktop', () => {
    expect(deviceClassOf({})).toBe('desktop');
    expect(isCrawlerOf({})).toBe(false);
  });

  it.each(['mobile', 'tablet', 'desktop'] as const)(
    'flags made from the class %s have no system, browser or user agent',
    device => {
      expect(classFlags(device)).toEqual({ ...expectedFlags(device, null, null, false), userAgent: '' });
      expect(deviceClass(classFlags(device))).toBe(device);
    },
  );
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
    // Unknown values of edge headers are ignored.
    [{ 'cf-device-type': 'tv' }, PHONE, 'mobile', 'android'],
    [{ 'cf-device-type': '' }, PHONE, 'mobile', 'android'],
    [{ 'cf-device-type': 'constructor' }, PHONE, 'mobile', 'android'],
    [{ 'cloudfront-is-desktop-viewer': '1' }, PHONE, 'mobile', 'android'],
    [{ 'cloudfront-is-mobile-viewer': 'false' }, PHONE, 'mobile', 'android'],
    [{ 'cloudfront-is-android-viewer': 'false' }, PHONE, 'mobile', 'android'],
    // Precedence: desktop over tablet over mobile, CloudFront over Cloudflare, iOS over Android.
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
  ])(
    'edge headers set device class and system, and unknown values are ignored: %j',
    (headers, userAgent, device, system) => {
      const sent = { ...headers, 'user-agent': userAgent };
      expect(deviceClassOf(sent)).toBe(device);
      expect(systemOf(sent)).toBe(system);
      expect(isCrawlerOf(sent)).toBe(false);
    },
  );

  it.each([
    [`Mozilla/5.0 (${WINDOWS}) ${WEBKIT}`, 'browser'],
    ['Amazon CloudFront', 'browser'],
    ['Mozilla/5.0 (compatible; Googlebot/2.1)', 'crawler'],
    ['Strapi', 'program'],
    [undefined, 'program'],
  ] as const)('the log entry of a request names the class of its client: %s', (agent, expected) => {
    expect(clientClass({ 'user-agent': agent })).toBe(expected);
  });

  it('Vary lists the edge headers', () => {
    expect(DEVICE_HEADERS).toContain('User-Agent');
    expect(DEVICE_HEADERS).toContain('CloudFront-Is-Mobile-Viewer');
    expect(DEVICE_HEADERS).toContain('CF-Device-Type');
  });

  it('only edge headers decide for CloudFront’s user agent, which does not count as a crawler', () => {
    const headers = { 'cloudfront-is-mobile-viewer': 'true', 'cloudfront-is-android-viewer': 'true' };
    const sent = { ...headers, 'user-agent': 'Amazon CloudFront' };
    expect(deviceClassOf(sent)).toBe('mobile');
    expect(systemOf(sent)).toBe('android');
    expect(isCrawlerOf(sent)).toBe(false);
  });
});

/** @returns the operating system from an edge header, or else from the user agent. */
function systemOf(headers: Record<string, string>): string {
  const timing = deviceTiming(headers, DEVICE_HEADERS.join(', '));
  const { isAndroid } = deviceFlagsFromUserAgent(headers['user-agent'] ?? '');
  return /desc="(\w+)"/.exec(timing)?.[1] ?? (isAndroid ? 'android' : 'macos');
}

function Probe() {
  return JSON.stringify(useDevice());
}

describe('the device context', () => {
  it.each([
    ['mobile', 'mobile'],
    ['tablet', 'tablet'],
    ['desktop', 'desktop'],
    [null, 'desktop'],
  ] as const)(
    'for the class %s, the device context has exactly the flags of the class %s',
    (initialClass, device) => {
      const provider = { initialClass, refreshOnResize: true };
      const page = createElement(DeviceProvider, provider, createElement(Probe));
      const markup = renderToStaticMarkup(page).replaceAll('&quot;', '"');
      expect(JSON.parse(markup)).toEqual(classFlags(device));
    },
  );
});

describe('onResizeEnd', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('onResizeEnd calls back once after a series of events, and never after it was stopped', () => {
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
