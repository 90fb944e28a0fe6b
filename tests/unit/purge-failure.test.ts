import { expect, it } from 'vitest';
import { PurgeRefusedError, purgeFailure } from '../../server/cdn/purge-failure.ts';

const VARNISH = 'varnish 10.0.0.1:6081';
const PAGE = `<!DOCTYPE html>
<html>
  <head><title>403 Forbidden</title></head>
  <body><h1>Error 403 Forbidden</h1></body>
</html>`;

it.for([
  [VARNISH, 403, PAGE, `${VARNISH} answers 403: 403 Forbidden`, /^add .* `acl purgers`.* CDN_TOKEN/],
  [VARNISH, 401, '', `${VARNISH} answers 401: no words`, /^let CDN_TOKEN/],
  [
    VARNISH,
    421,
    'Misdirected\nmore',
    `${VARNISH} answers 421: Misdirected`,
    /^another server than the cache/,
  ],
  [VARNISH, 405, 'x', `${VARNISH} answers 405: x`, /the method PURGE/],
  [VARNISH, 503, 'x'.repeat(4_000), `${VARNISH} answers 503: ${'x'.repeat(200)}`, /log of the cache/],
  ['fastly', 403, '<p>no', 'fastly answers 403: no', /the right to purge/],
  ['cloudflare', 404, 'a < b', 'cloudflare answers 404: a', /the ID in CDN_PURGE/],
] as const)(
  'a refused purge by %s with status %i is reported with a remedy',
  ([target, status, text, reason, remedy]) => {
    expect(purgeFailure(target, new PurgeRefusedError(target, status, text))).toEqual({
      reason,
      remedy: expect.stringMatching(remedy),
    });
  },
);

it('a failed connection to Varnish is reported with a remedy', () => {
  const error = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:6081'), { code: 'ECONNREFUSED' });
  expect(purgeFailure(VARNISH, error)).toEqual({
    reason: `${VARNISH}: connect ECONNREFUSED 10.0.0.1:6081`,
    remedy: expect.stringMatching(/whether the cache runs, and whether CDN_PURGE .* its address/),
  });
});
