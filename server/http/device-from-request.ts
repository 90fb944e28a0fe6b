import type { IncomingHttpHeaders } from 'node:http';
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import {
  classFlags,
  DEVICE_TIMING,
  type DeviceClass,
  type DeviceFlags,
  deviceClass,
  deviceFlagsFromUserAgent,
  systemFlags,
} from '../../shared/device/device.ts';

/** CloudFront sends this user agent in place of the visitor's own unless it is told to pass that on. */
const CLOUDFRONT_USER_AGENT = 'Amazon CloudFront';

/** The headers that a page which reads the device depends on, for `Vary`. */
export const DEVICE_HEADERS: readonly string[] = [
  'User-Agent',
  'CF-Device-Type',
  ...['Desktop', 'Tablet', 'Mobile', 'IOS', 'Android'].map(name => `CloudFront-Is-${name}-Viewer`),
];

/**
 * The device flags of a request: those of the user agent, overridden by the headers of the edge in front of the site.
 *
 * | header                                              | says                      |
 * |-----------------------------------------------------|---------------------------|
 * | `CloudFront-Is-{Desktop,Tablet,Mobile}-Viewer: true` | the class                |
 * | `CF-Device-Type: mobile\|tablet\|desktop`           | the class                 |
 * | `CloudFront-Is-{IOS,Android}-Viewer: true`          | the system                |
 *
 * The headers count whatever the user agent. Other values are ignored. Where several headers say yes, desktop wins over
 * tablet, tablet over mobile, CloudFront over `CF-Device-Type`, and iOS over Android. A visitor who forges them only gets
 * another of three variants of the page.
 */
export function deviceFromRequest(headers: IncomingHttpHeaders): DeviceFlags {
  const flags = flagsOf(headers['user-agent'] ?? '');
  const edgeClass = edgeClassOf(headers);
  const { isMobile, isTablet, isDesktop, isMobileOrTablet, isDesktopOrTablet } =
    edgeClass === null ? flags : classFlags(edgeClass);
  return {
    ...flags,
    ...{ isMobile, isTablet, isDesktop, isMobileOrTablet, isDesktopOrTablet },
    ...edgeSystem(headers),
  };
}

/** @returns the device class of a request, for the pages that read it. */
export function deviceClassOf(headers: IncomingHttpHeaders): DeviceClass {
  return edgeClassOf(headers) ?? deviceClass(flagsOf(headers['user-agent'] ?? ''));
}

const NO_HEADERS: readonly string[] = [];

/**
 * Stored pages are the same for all systems, so the browser learns the system that the edge has found from `Server-Timing`
 * (`device-context.tsx` reads it). Only an answer whose `Vary` lists the edge's headers may carry it.
 *
 * @param headers of the request.
 * @param answer headers of the answer, names and values in turn.
 * @returns the name and value of the header; empty when the edge does not say the system.
 */
export function deviceTiming(headers: IncomingHttpHeaders, answer: readonly string[]): readonly string[] {
  const ios = headers['cloudfront-is-ios-viewer'];
  // Most requests have neither header, and every hit asks.
  if (ios === undefined && headers['cloudfront-is-android-viewer'] === undefined) return NO_HEADERS;
  const { isIos, isAndroid } = edgeSystem(headers);
  if (!isIos && !isAndroid) return NO_HEADERS;
  const vary = answer[answer.indexOf('Vary') + 1] ?? '';
  if (!vary.includes('CloudFront-Is-IOS-Viewer')) return NO_HEADERS;
  return ['Server-Timing', `${DEVICE_TIMING};desc="${isIos ? 'ios' : 'android'}"`];
}

/** @returns whether the user agent is one of a crawler. */
export function isCrawler(headers: IncomingHttpHeaders): boolean {
  return flagsOf(headers['user-agent'] ?? '').isCrawler;
}

/** Browsers send a few hundred different user agents, and reading one takes a tenth of the time of an answer from the cache. */
const knownUserAgents = new LRUCache<string, DeviceFlags>({ max: 1_000 });
/** Longer user agents are not remembered. */
const MAX_LENGTH = 512;

function flagsOf(userAgent: string): DeviceFlags {
  const known = knownUserAgents.get(userAgent);
  if (known) return known;
  const isCrawler = userAgent !== CLOUDFRONT_USER_AGENT && isbot(userAgent);
  const flags = { ...deviceFlagsFromUserAgent(userAgent), isCrawler };
  if (userAgent.length <= MAX_LENGTH) knownUserAgents.set(userAgent, flags);
  return flags;
}

function edgeClassOf(headers: IncomingHttpHeaders): DeviceClass | null {
  return cloudFrontClass(headers) ?? cloudflareClass(headers);
}

function cloudFrontClass(headers: IncomingHttpHeaders): DeviceClass | null {
  if (says(headers, 'cloudfront-is-desktop-viewer')) return 'desktop';
  if (says(headers, 'cloudfront-is-tablet-viewer')) return 'tablet';
  return says(headers, 'cloudfront-is-mobile-viewer') ? 'mobile' : null;
}

function cloudflareClass(headers: IncomingHttpHeaders): DeviceClass | null {
  const type = value(headers, 'cf-device-type');
  return type === 'mobile' || type === 'tablet' || type === 'desktop' ? type : null;
}

function edgeSystem(headers: IncomingHttpHeaders): Partial<DeviceFlags> {
  const isIos = says(headers, 'cloudfront-is-ios-viewer');
  const isAndroid = !isIos && says(headers, 'cloudfront-is-android-viewer');
  if (isIos) return systemFlags('ios');
  return isAndroid ? systemFlags('android') : {};
}

function says(headers: IncomingHttpHeaders, name: string): boolean {
  return value(headers, name) === 'true';
}

function value(headers: IncomingHttpHeaders, name: string): string {
  return String(headers[name] ?? '')
    .trim()
    .toLowerCase();
}
