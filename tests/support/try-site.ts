// node tests/support/try-site.ts
//
// `npm run try`: starts the built site on the sample content, requests its home page, and ends it. For
// systems on which the other tests do not run.

import { startBuiltSite } from '../faults/built-site.ts';

const site = await startBuiltSite({ env: { CONTENT: 'embedded' } });
try {
  const answer = await fetch(site.url);
  const hasHeading = (await answer.text()).includes('<h1');
  const { code, ms } = await site.end('SIGTERM');
  console.log(`Home page: ${answer.status}. The site ended with ${code} after ${Math.round(ms)} ms.`);
  // Windows has no signals, so the process ends without an exit code.
  const isEnded = process.platform === 'win32' || code === 0;
  if (answer.status !== 200 || !hasHeading || !isEnded) process.exitCode = 1;
} finally {
  await site.dispose();
}
