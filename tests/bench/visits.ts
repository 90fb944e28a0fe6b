// node tests/bench/visits.ts URL PATH PER_SECOND SECONDS
// Visits one page at even intervals. A separate process is used, so that neither the backend nor a flood
// delays the measurement. Prints a SteadyLoadResult as JSON.

import { BROWSER_HEADERS } from '../faults/client.ts';
import { steadyLoad } from './steady-load.ts';

const [url = '', path = '', perSecond = '', seconds = ''] = process.argv.slice(2);
const result = await steadyLoad({
  url,
  path,
  headers: BROWSER_HEADERS,
  perSecond: Number(perSecond),
  seconds: Number(seconds),
});
console.log(JSON.stringify(result));
