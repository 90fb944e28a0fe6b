// npm run smoke -- https://www.example.com
//
// Asks a deployed site for one address of each role, as a visitor does. Sends only forms that
// the site must refuse, so that nothing is stored. Exit code 1: something is wrong.

import { FEED_FORMATS, feedPath } from '../../shared/routing/feed-files.ts';
import { matchRoute } from '../../shared/routing/match-route.ts';
import { PAYLOAD_SUFFIX } from '../../shared/routing/payload-address.ts';
import { routes } from '../../site/routes.ts';

/** The longest time for one answer, in ms. The site answers within 30 s. */
const LIMIT_MS = 35_000;
/** A header of every answer, and one of all answers but pictures without scripts. */
const EVERYWHERE = { 'x-content-type-options': /^nosniff$/ };
const BUT_OF_RASTERS = { 'content-security-policy': /frame-ancestors/ };
const RASTER = /^image\/(?!svg)/;
/** Headers that documents have besides those of every answer. */
const OF_DOCUMENTS = {
  'referrer-policy': /./,
  'x-frame-options': /^DENY$/i,
  'permissions-policy': /./,
  'x-request-id': /./,
};
const HEADING = /<h1[\s>]/;
const HTML = /^text\/html/;
const JSON_TYPE = /^application\/json/;

interface Asked {
  readonly role: string;
  readonly path: string;
  /** The default is 200. */
  readonly status?: readonly number[];
  readonly type?: RegExp;
  readonly has?: RegExp;
  /** Headers that the answer must have besides those of all. */
  readonly headers?: Readonly<Record<string, RegExp>>;
  readonly send?: RequestInit;
}

/** The outcome for one address. No problem: the site passed. */
interface Checked {
  readonly role: string;
  readonly request: string;
  readonly status: number | null;
  readonly problems: readonly string[];
}

class Smoke {
  readonly checked: Checked[] = [];
  readonly #base: URL;

  constructor(base: URL) {
    this.#base = base;
  }

  /** Asks for one address. @returns the body and the headers, which are empty without an answer. */
  async ask(asked: Asked): Promise<{ body: string; headers: Headers }> {
    const { role, path, send } = asked;
    const request = `${send?.method ?? 'GET'} ${path}`;
    try {
      const answer = await fetch(new URL(path, this.#base), {
        redirect: 'manual',
        signal: AbortSignal.timeout(LIMIT_MS),
        ...send,
        headers: { 'user-agent': 'smoke-test', accept: '*/*', ...send?.headers },
      });
      const body = await answer.text();
      const problems = [...this.#problemsOf(asked, answer, body)];
      this.checked.push({ role, request, status: answer.status, problems });
      return { body, headers: answer.headers };
    } catch (error) {
      const { message, cause } = error as Error & { cause?: Error };
      this.checked.push({ role, request, status: null, problems: [cause?.message ?? message] });
      return { body: '', headers: new Headers() };
    }
  }

  document(role: string, path: string): ReturnType<Smoke['ask']> {
    return this.ask({ role, path, type: HTML, has: HEADING, headers: { ...OF_DOCUMENTS, etag: /./ } });
  }

  *#problemsOf({ status: accepted = [200], type, has, headers }: Asked, answer: Response, body: string) {
    const wanted = {
      ...EVERYWHERE,
      ...(!RASTER.test(answer.headers.get('content-type') ?? '') && BUT_OF_RASTERS),
      ...(this.#base.protocol === 'https:' && { 'strict-transport-security': /max-age=\d{7}/ }),
      ...(type && { 'content-type': type }),
      ...headers,
    };
    if (!accepted.includes(answer.status))
      yield `status ${answer.status} in place of ${accepted.join(' or ')}`;
    for (const [name, value] of Object.entries(wanted)) {
      const found = answer.headers.get(name);
      if (!value.test(found ?? '')) yield `${name}: ${found ?? 'is missing'}`;
    }
    if (answer.headers.has('x-powered-by')) yield 'x-powered-by is shown';
    if (has && !has.test(body)) yield `the body lacks ${has}`;
  }
}

/** Asks a site for everything. @param base its address, whose path does not count */
async function smoke(base: string): Promise<readonly Checked[]> {
  const site = new Smoke(new URL('/', base));
  const home = await site.document('home', '/');
  const etag = home.headers.get('etag') ?? '';
  const send = { headers: { 'if-none-match': etag } };
  await site.ask({ role: 'home, unchanged', path: '/', status: [304], send });
  await pages(site);
  await files(site, home.body);
  await refusals(site);
  await forms(site);
  return site.checked;
}

/** Asks for one page of each route that the sitemap has, and for the data of the last page. */
async function pages(site: Smoke): Promise<void> {
  let { body } = await site.ask({ role: 'sitemap', path: '/sitemap.xml', type: /xml/, has: /<loc>/ });
  // A large site has an index, which names the parts.
  const [part] = /(?<=<sitemap>\s*<loc>)[^<]+/.exec(body) ?? [];
  if (part !== undefined) {
    const { pathname } = new URL(part);
    ({ body } = await site.ask({ role: 'part of the sitemap', path: pathname, type: /xml/ }));
  }
  const found = new Map<string, string>();
  for (const [, location = ''] of body.matchAll(/<loc>([^<]+)<\/loc>/g)) {
    const { pathname } = new URL(location);
    const route = matchRoute(routes, pathname)?.route;
    if (route && route.path !== '/' && !found.has(route.id)) found.set(route.id, pathname);
  }
  for (const [role, path] of found) await site.document(role, path);
  const last = [...found.values()].at(-1) ?? '';
  await site.ask({ role: 'data of a page', path: `${last}${PAYLOAD_SUFFIX}`, type: JSON_TYPE });
  await site.ask({ role: 'search', path: '/search?q=a', type: HTML, has: HEADING, headers: OF_DOCUMENTS });
  for (const format of FEED_FORMATS)
    await site.ask({ role: `feed (${format})`, path: feedPath('/blog', format), type: /xml|json/ });
}

/** Asks for files that the home page names, and for those that programs ask for. */
async function files(site: Smoke, home: string): Promise<void> {
  const named = (pattern: RegExp) => pattern.exec(home)?.[0].replaceAll('&amp;', '&');
  const kept = { 'cache-control': /immutable/ };
  const script = named(/\/assets\/[\w-]+\.js/) ?? '/assets/no-script-on-the-home-page.js';
  const style = named(/\/assets\/[\w-]+\.css/) ?? '/assets/no-style-on-the-home-page.css';
  await site.ask({ role: 'script', path: script, type: /javascript/, headers: kept });
  await site.ask({ role: 'style', path: style, type: /css/, headers: kept });
  const picture = named(/\/(?:uploads|images)\/[^\s"',]+\.(?:avif|jpe?g|png|svg|webp)\b[^\s"',]*/);
  if (picture !== undefined) await site.ask({ role: 'picture', path: picture, type: /^image\// });
  await site.ask({ role: 'icon', path: '/favicon.svg', type: /svg/ });
  await site.ask({ role: 'robots', path: '/robots.txt', type: /^text\/plain/, has: /User-agent/ });
  await site.ask({ role: 'build', path: '/builds/latest.json', type: JSON_TYPE });
  await site.ask({ role: 'readiness', path: '/readyz' });
}

async function refusals(site: Smoke): Promise<void> {
  const none = { status: [404], type: HTML, has: HEADING, headers: OF_DOCUMENTS };
  await site.ask({ ...none, role: 'page that does not exist', path: '/no-such-page-of-the-smoke-test' });
  await site.ask({ role: 'method', path: '/', status: [405], send: { method: 'DELETE' } });
  await site.ask({ role: 'metrics', path: '/metrics', status: [404] });
  await site.ask({ role: 'preview without its secret', path: '/api/preview?url=/', status: [401, 404] });
  await site.ask({
    role: 'event without its secret',
    path: '/webhooks/content',
    status: [401, 404],
    send: { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' },
  });
}

/** Sends forms that the site refuses, with words for the visitor: no message comes of them. */
async function forms(site: Smoke): Promise<void> {
  const path = '/api/email/send';
  const post = (type: string, body: string, headers = {}): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': type, ...headers },
    body,
  });
  await site.ask({
    role: 'form without its fields',
    path,
    // 429 is a refusal too: the limit of this IP address is used up.
    status: [422, 429],
    type: JSON_TYPE,
    has: /"message":"[^"]+"/,
    send: post('application/json', '{"form":"contact"}'),
  });
  await site.ask({
    role: 'form without JavaScript',
    path,
    status: [422, 429],
    type: HTML,
    has: HEADING,
    send: post('application/x-www-form-urlencoded', 'form=contact&page=%2F', { accept: 'text/html' }),
  });
  await site.ask({
    role: 'form of another site',
    path,
    status: [403],
    send: post('application/json', '{"form":"contact"}', { origin: 'https://elsewhere.example' }),
  });
  await site.ask({
    role: 'form of another type',
    path,
    status: [415],
    send: post('text/plain', 'form=contact'),
  });
}

if (import.meta.main) {
  const [base = ''] = process.argv.slice(2);
  if (!URL.canParse(base)) {
    console.error('Name the site: npm run smoke -- https://www.example.com');
    process.exit(2);
  }
  const checked = await smoke(base);
  const width = Math.max(...checked.map(({ role }) => role.length));
  for (const { role, request, status, problems } of checked) {
    const verdict = problems.length === 0 ? 'ok  ' : 'FAIL';
    console.log(`${verdict} ${role.padEnd(width)} ${status ?? '–'} ${request}`);
    for (const problem of problems) console.log(`       ${problem}`);
  }
  const failed = checked.filter(({ problems }) => problems.length > 0).length;
  console.log(`${checked.length} addresses, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}
