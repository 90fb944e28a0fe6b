// node tests/faults/run-scenario.ts outage [--short]
//
// Runs one scenario and prints its outcome.

import { parseArgs } from 'node:util';
import { cutOff } from './scenarios/cut-off.ts';
import { deadBackend } from './scenarios/dead-backend.ts';
import { drain } from './scenarios/drain.ts';
import { events } from './scenarios/events.ts';
import { flood } from './scenarios/flood.ts';
import { hanging } from './scenarios/hanging.ts';
import { hostileContents } from './scenarios/hostile-content.ts';
import { kills } from './scenarios/kills.ts';
import { outage } from './scenarios/outage.ts';
import { removedFolder } from './scenarios/removed-folder.ts';
import { restart } from './scenarios/restart.ts';
import { rubbish } from './scenarios/rubbish.ts';
import { slowSockets } from './scenarios/slow-sockets.ts';
import { stampede } from './scenarios/stampede.ts';
import { FULL, SHORT, type Sizes } from './sizes.ts';

const scenarios: Readonly<Record<string, (sizes: Sizes) => Promise<unknown>>> = {
  outage: sizes => outage(sizes.outage),
  restart: sizes => restart({ ...sizes.restart, renamed: false }),
  renamed: sizes => restart({ ...sizes.restart, renamed: true }),
  'removed-folder': ({ restart: { pages } }) => removedFolder({ pages, unseen: 1, ttlMs: 600_000 }),
  stampede: sizes => stampede(sizes.stampede),
  hanging: sizes => hanging(sizes.hanging),
  rubbish: sizes => rubbish(sizes.rubbish),
  events: sizes => events(sizes.events),
  'cut-off': sizes => cutOff(sizes.cutOff),
  drain: sizes => drain(sizes.drain),
  flood: sizes => flood(sizes.flood),
  kills: sizes => kills(sizes.kills),
  'hostile-content': sizes => hostileContents(sizes.hostile),
  'dead-backend': sizes => deadBackend('refuse', sizes.deadBackend),
  'slow-sockets': sizes => slowSockets(sizes.slowSockets),
};

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const run = scenarios[positionals[0] ?? ''];
if (run) {
  console.log(await run(values.short ? SHORT : FULL));
} else {
  console.error(`Name one scenario: ${Object.keys(scenarios).join(', ')}`);
  process.exitCode = 2;
}
