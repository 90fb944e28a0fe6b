import { readFileSync } from 'node:fs';

/*
 * Preloaded into a process of the site: shifts the system clock by the ms in the file CLOCK_SHIFT. `Date`
 * follows the file while the process runs. `performance.timeOrigin` is the time of the start.
 */
const RealDate = Date;
const shift = () => Number(readFileSync(process.env.CLOCK_SHIFT ?? '', 'utf8')) || 0;
const timeOrigin = performance.timeOrigin + shift();
Object.defineProperty(performance, 'timeOrigin', { value: timeOrigin });
globalThis.Date = class extends RealDate {
  constructor(...values) {
    if (values.length === 0) super(RealDate.now() + shift());
    else super(...values);
  }
  static now() {
    return RealDate.now() + shift();
  }
};
