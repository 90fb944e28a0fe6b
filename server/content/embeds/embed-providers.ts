import { safeHref } from '../safe-address.ts';

/**
 * A service whose films or sounds a page plays after a click. Its addresses are templates, because a thread and the configuration can hold
 * nothing else. `{id}` stands for the name of a film, `{number}` for a name of digits, `{hash}` for the key of a film that is not listed, and
 * `{start}` for a time in seconds. A path or a query may lack the last two.
 */
export interface EmbedProvider {
  /** The name that visitors read. */
  readonly name: string;
  /** The addresses of a film, the first one for links. */
  readonly pages: readonly string[];
  /** The address of the player in a frame, which begins to play at once. */
  readonly player: string;
}

/** Something that a provider plays. */
export interface Embed {
  readonly provider: string;
  /** The address of the film's page, for a link. */
  readonly page: string;
  /** The address of the player. */
  readonly player: string;
}

/** The providers that the configuration knows by their names. YouTube has a host that sets no cookie before a film plays. */
export const KNOWN_PROVIDERS: Readonly<Record<string, EmbedProvider>> = {
  youtube: {
    name: 'YouTube',
    pages: [
      'https://www.youtube.com/watch?v={id}&t={start}',
      'https://youtu.be/{id}',
      'https://www.youtube.com/embed/{id}',
      'https://www.youtube.com/shorts/{id}',
      'https://www.youtube.com/live/{id}',
    ],
    player: 'https://www.youtube-nocookie.com/embed/{id}?autoplay=1&start={start}',
  },
  vimeo: {
    name: 'Vimeo',
    pages: ['https://vimeo.com/{number}/{hash}', 'https://player.vimeo.com/video/{number}?h={hash}'],
    player: 'https://player.vimeo.com/video/{number}?h={hash}&dnt=1&autoplay=1',
  },
  dailymotion: {
    name: 'Dailymotion',
    pages: [
      'https://www.dailymotion.com/video/{id}',
      'https://dai.ly/{id}',
      'https://www.dailymotion.com/embed/video/{id}',
    ],
    player: 'https://geo.dailymotion.com/player.html?video={id}',
  },
};
export const DEFAULT_PROVIDERS: readonly string[] = ['youtube', 'vimeo'];

/** @returns the providers of a value of EMBED_PROVIDERS; null for a value of another form. */
export function providersIn(value: string): readonly EmbedProvider[] | null {
  const parts = value === 'off' ? [] : value.split(',').filter(part => part.trim() !== '');
  const providers = parts.map(part => providerOf(part.trim())).filter(provider => provider !== null);
  return providers.length === parts.length ? providers : null;
}

function providerOf(text: string): EmbedProvider | null {
  const [name = '', ...templates] = text.split(/\s+/);
  if (templates.length === 0) return KNOWN_PROVIDERS[name.toLowerCase()] ?? null;
  const player = templates.at(-1) ?? '';
  const isWhole = templates.length > 1 && templates.every(isTemplate);
  return isWhole ? { name, pages: templates.slice(0, -1), player } : null;
}

type Values = Readonly<Partial<Record<string, string>>>;

const BLANK = /^\{(id|number|hash|start)\}$/;
const BLANKS = /\{(?:id|number)\}/;
const FORMS: Readonly<Record<string, RegExp>> = {
  id: /^[\w-]{1,64}$/,
  number: /^\d{1,20}$/,
  hash: /^[\w-]{1,64}$/,
};
/** Words that stand in the place of a name, and name a list or a channel in the query. */
const NO_NAMES: ReadonlySet<string> = new Set(['videoseries', 'live_stream', 'playlist']);
/** Keys of a query that hold the time at which a film begins. */
const STARTS = ['start', 't', 'time_continue'] as const;

/** @returns the film that an address leads to; null for an address of no provider. */
export function embedAt(address: unknown, providers: readonly EmbedProvider[]): Embed | null {
  const url = URL.parse(safeHref(address) ?? '');
  if (!url) return null;
  for (const { name, pages, player } of providers) {
    const values = [...pages, player].map(template => valuesIn(url, template)).find(found => found !== null);
    if (values)
      return { provider: name, page: filled(pages[0] ?? player, values), player: filled(player, values) };
  }
  return null;
}

/** @returns whether a text is a template of an address that a provider may have. */
function isTemplate(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && url.username === '' && BLANKS.test(text) && !BLANKS.test(url.host);
}

/** @returns the values of the blanks of a template that an address has; null for an address of another form. */
function valuesIn(url: URL, template: string): Values | null {
  const form = new URL(template);
  if (hostOf(url) !== hostOf(form)) return null;
  const values: Record<string, string> = {};
  const parts = segmentsOf(url);
  const expected = segmentsOf(form);
  if (parts.length > expected.length) return null;
  for (const [index, segment] of expected.entries()) if (!fits(segment, parts[index], values)) return null;
  for (const [key, value] of form.searchParams)
    if (!fits(value, url.searchParams.get(key), values, true)) return null;
  const start = STARTS.map(key => secondsOf(url.searchParams.get(key))).find(seconds => seconds > 0);
  return start === undefined ? values : { ...values, start: String(start) };
}

/** Notes the value of a blank. @returns whether a part of an address is as the template has it. */
function fits(
  expected: string,
  given: string | null | undefined,
  values: Record<string, string>,
  isQuery = false,
): boolean {
  const name = BLANK.exec(expected)?.[1];
  // A parameter without a blank is a wish of the player, such as `autoplay`.
  if (name === undefined) return isQuery || expected === given;
  if (name === 'start') return true;
  if (given === null || given === undefined) return name === 'hash';
  if (!FORMS[name]?.test(given) || NO_NAMES.has(given)) return isQuery && name === 'hash';
  values[name] = given;
  return true;
}

/** @returns an address with its blanks filled in. Parts whose blank has no value are left out. */
function filled(template: string, values: Values): string {
  const url = new URL(template);
  const givenFor = (part: string) => {
    const name = BLANK.exec(part)?.[1];
    return name === undefined ? part : values[name];
  };
  url.pathname = segmentsOf(url)
    .flatMap(segment => givenFor(segment) ?? [])
    .join('/');
  for (const [key, value] of [...url.searchParams]) {
    const given = givenFor(value);
    if (given === undefined) url.searchParams.delete(key);
    else url.searchParams.set(key, given);
  }
  return url.href;
}

function hostOf({ host }: URL): string {
  return host.replace(/^(?:www|m|music)\./, '');
}

/** The path's segments, decoded, because a URL encodes the brackets of a blank. */
function segmentsOf({ pathname }: URL): string[] {
  return pathname
    .split('/')
    .filter(Boolean)
    .map(segment => segment.replaceAll('%7B', '{').replaceAll('%7D', '}'));
}

/** @returns the seconds of a time such as `90`, `90s` or `1h2m3s`; 0 for none. */
function secondsOf(time: string | null): number {
  const [whole, hours = 0, minutes = 0, seconds = 0] =
    /^(?:(\d{1,2})h)?(?:(\d{1,3})m)?(?:(\d{1,6})s?)?$/.exec(time ?? '') ?? [];
  return whole ? Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds) : 0;
}
