import type { IncomingHttpHeaders } from 'node:http';
import type { DeviceFlags } from '../shared/device.ts';
export const DEVICE_HEADERS = ['User-Agent'];
export const deviceFromRequest = (_: IncomingHttpHeaders): DeviceFlags => ({ isMobile: false });
