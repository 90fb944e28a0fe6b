import type { BrowserContextOptions } from 'playwright-core';
import type { DeviceClass } from '../../shared/device/device.ts';

/**
 * A browser for each device class. The server derives the class from the user agent, the browser from window
 * and pointer.
 */
export const DEVICES: Readonly<Record<DeviceClass, BrowserContextOptions>> = {
  mobile: {
    userAgent:
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Mobile Safari/537.36',
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  },
  tablet: {
    userAgent:
      'Mozilla/5.0 (Linux; Android 15; SM-X710) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36',
    viewport: { width: 820, height: 1180 },
    hasTouch: true,
    isMobile: true,
  },
  desktop: {
    userAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36',
    viewport: { width: 1280, height: 800 },
  },
};
