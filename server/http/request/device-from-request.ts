import type { IncomingHttpHeaders } from 'node:http';
import { isbot } from 'isbot';
import {
  DEVICE_TIMING,
  type DeviceClass,
  type DeviceFlags,
  deviceClass,
} from '../../../shared/device/device.ts';
import { deviceFlagsFromUserAgent } from '../../../shared/device/device-from-agent.ts';
import { boundedMap } from '../../ops/bounded-map.ts';
import type { ClientClass } from '../../ops/requests/access-log.ts';

/** The user agent that CloudFront sends in place of the visitor's, unless configured otherwise. */
const CLOUDFRONT_USER_AGENT = 'Amazon CloudFront';

export const DEVICE_HEADERS: readonly string[] = [
  'User-Agent',
  'CF-Device-Type',
  ...['Desktop', 'Tablet', 'Mobile', 'IOS', 'Android'].map(name => `CloudFront-Is-${name}-Viewer`),
];

/**
 * Reads the class of the device from the user agent. Headers of a CDN override it. If headers contradict,
 * desktop wins over tablet, tablet over mobile, CloudFront over `CF-Device-Type`, and iOS over Android.
 *
 * | header | says |
 * |------------------------------------------------------|--------|
 * | `CloudFront-Is-{Desktop,Tablet,Mobile}-Viewer: true` | class |
 * | `CF-Device-Type: mobile\|tablet\|desktop` | class |
 * | `CloudFront-Is-{IOS,Android}-Viewer: true` | system |
 */
export function deviceClassOf(headers: IncomingHttpHeaders): DeviceClass {
  return (
    cloudFrontClass(headers) ?? cloudflareClass(headers) ?? deviceClass(flagsOf(headers['user-agent'] ?? ''))
  );
}

/**
 * Tells scripts the operating system that the CDN reports, because the page is the same for all systems.
 * @returns a `Server-Timing` line. Empty for an unknown system, or if `Vary` lacks the CDN's headers.
 */
export function deviceTiming(headers: IncomingHttpHeaders, vary: string): string {
  const isIos = isTrue(headers, 'cloudfront-is-ios-viewer');
  if (!isIos && !isTrue(headers, 'cloudfront-is-android-viewer')) return '';
  if (!vary.includes('CloudFront-Is-IOS-Viewer')) return '';
  return `Server-Timing: ${DEVICE_TIMING};desc="${isIos ? 'ios' : 'android'}"\r\n`;
}

export function isCrawler(headers: IncomingHttpHeaders): boolean {
  return flagsOf(headers['user-agent'] ?? '').isCrawler;
}

const BOT_WORDS = ['bot', 'crawl', 'spider'];

export function clientClass(headers: IncomingHttpHeaders): ClientClass {
  const userAgent = headers['user-agent'] ?? '';
  if (isCrawler(headers)) {
    const words = userAgent.toLowerCase();
    return BOT_WORDS.some(word => words.includes(word)) ? 'crawler' : 'program';
  }
  return userAgent.startsWith('Mozilla/') || userAgent === CLOUDFRONT_USER_AGENT ? 'browser' : 'program';
}

/** Results by user agent, because parsing takes a tenth of a cache hit's time. */
const knownUserAgents = boundedMap<DeviceFlags>(1_000);
const MAX_LENGTH = 512;

function flagsOf(userAgent: string): DeviceFlags {
  const known = knownUserAgents.get(userAgent);
  if (known) return known;
  const isCrawler = userAgent !== CLOUDFRONT_USER_AGENT && isbot(userAgent);
  const flags = { ...deviceFlagsFromUserAgent(userAgent), isCrawler };
  if (userAgent.length <= MAX_LENGTH) knownUserAgents.set(userAgent, flags);
  return flags;
}

function cloudFrontClass(headers: IncomingHttpHeaders): DeviceClass | null {
  if (isTrue(headers, 'cloudfront-is-desktop-viewer')) return 'desktop';
  if (isTrue(headers, 'cloudfront-is-tablet-viewer')) return 'tablet';
  return isTrue(headers, 'cloudfront-is-mobile-viewer') ? 'mobile' : null;
}

function cloudflareClass(headers: IncomingHttpHeaders): DeviceClass | null {
  const type = headerValue(headers, 'cf-device-type');
  return type === 'mobile' || type === 'tablet' || type === 'desktop' ? type : null;
}

function isTrue(headers: IncomingHttpHeaders, name: string): boolean {
  return headerValue(headers, name) === 'true';
}

function headerValue(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return value === undefined ? '' : String(value).trim().toLowerCase();
}
