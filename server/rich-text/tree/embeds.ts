import { safeHref } from '../../addresses/safe-address.ts';
import type { EmbedProvider } from '../../config/embed-providers.ts';

type Values = Readonly<Partial<Record<string, string>>>;

const BLANK = /^\{(id|number|hash|start)\}$/;
const FORMS: Readonly<Record<string, RegExp>> = {
  id: /^[\w-]{1,64}$/,
  number: /^\d{1,20}$/,
  hash: /^[\w-]{1,64}$/,
};
/** Words that stand in place of a video's id in addresses of playlists and channels. */
const NO_NAMES: ReadonlySet<string> = new Set(['videoseries', 'live_stream', 'playlist']);
const STARTS = ['start', 't', 'time_continue'] as const;

export function embedAt(address: unknown, providers: readonly EmbedProvider[]) {
  const url = URL.parse(safeHref(address) ?? '');
  if (!url) return null;
  for (const { name, pages, player } of providers) {
    const values = [...pages, player].map(template => valuesIn(url, template)).find(found => found !== null);
    if (values)
      return { provider: name, page: filled(pages[0] ?? player, values), player: filled(player, values) };
  }
  return null;
}

/** @returns values for the placeholders of a template; null if the address does not match it. */
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

/** Stores the value of a placeholder. @returns whether a part of an address fits its template. */
function fits(
  expected: string,
  given: string | null | undefined,
  values: Record<string, string>,
  isQuery = false,
): boolean {
  const name = BLANK.exec(expected)?.[1];
  // Accept a parameter without a placeholder: it is an option of the player, such as `autoplay`.
  if (name === undefined) return isQuery || expected === given;
  if (name === 'start') return true;
  if (given === null || given === undefined) return name === 'hash';
  if (!FORMS[name]?.test(given) || NO_NAMES.has(given)) return isQuery && name === 'hash';
  values[name] = given;
  return true;
}

/** Fills the placeholders. Drops parts whose placeholder has no value. */
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

/** Splits a path, and restores the braces of placeholders, which URL encodes. */
function segmentsOf({ pathname }: URL): string[] {
  return pathname
    .split('/')
    .filter(Boolean)
    .map(segment => segment.replaceAll('%7B', '{').replaceAll('%7D', '}'));
}

/** @returns the seconds in a time such as `90`, `90s` or `1h2m3s`; 0 for none. */
function secondsOf(time: string | null): number {
  const [whole, hours = 0, minutes = 0, seconds = 0] =
    /^(?:(\d{1,2})h)?(?:(\d{1,3})m)?(?:(\d{1,6})s?)?$/.exec(time ?? '') ?? [];
  return whole ? Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds) : 0;
}
