import type { PlannedChange } from '../../shared/payload/preview-notes.ts';
import { siteTypes } from '../../site/types.ts';
import type { Ask } from '../content/requests/content-request.ts';
import { isRefusalOf } from '../content/requests/missing-fields.ts';
import { momentIn, timeOf } from '../decode/site-time.ts';
import { callOf, joined, pageOf } from '../wire/content-calls.ts';
import { namedTypes, type ServedType } from '../wire/described-types.ts';
import { entryOf, isObject, rowsOf, textOf } from '../wire/wire.ts';

interface Dated extends Omit<PlannedChange, 'at'> {
  readonly time: number;
}

/** Limit for the changes in a calendar, and for the rows read of each content type. */
const MOST = 100;
const FIELDS = { publishAt: 'appears', unpublishAt: 'ends', date: 'appears' } as const;
const MINUTE_LENGTH = '2026-12-24T09:00'.length;

/** @returns what changes by dates alone, the next change first. @throws BackendError */
export async function plannedChanges(ask: Ask, timeZone: string): Promise<readonly PlannedChange[]> {
  const types = namedTypes.map(([, type]) => type);
  const found = await Promise.all(types.map(type => changesOf(type, ask, timeZone)));
  return found
    .flat()
    .filter(({ time }) => time > Date.now())
    .toSorted((a, b) => a.time - b.time)
    .slice(0, MOST)
    .map(({ time, ...change }) => ({ at: momentIn(time, timeZone).slice(0, MINUTE_LENGTH), ...change }));
}

async function changesOf(type: ServedType, ask: Ask, timeZone: string): Promise<readonly Dated[]> {
  if (type.path === siteTypes.landing.path) {
    const { body } = await ask(callOf(type, 'populate=*'));
    const rows = entryOf(body)?.attributes.positionsAndCustomBlocks;
    return (Array.isArray(rows) ? rows : []).flatMap(row =>
      isObject(row) ? datedIn(type, row, timeZone) : [],
    );
  }
  const fields = Object.keys(FIELDS).filter(field => Object.hasOwn(type.fields, field));
  if (type.storage === 'single' || fields.length === 0) return [];
  const now = encodeURIComponent(momentIn(Date.now(), timeZone));
  const filters = fields.map((field, at) => `filters[$or][${at}][${field}][$gt]=${now}`);
  try {
    const { body } = await ask(callOf(type, joined(...filters, pageOf(1, MOST))));
    return (rowsOf(body) ?? []).flatMap(row => datedIn(type, entryOf(row)?.attributes ?? {}, timeZone));
  } catch (error) {
    // A CMS without the fields plans nothing.
    if (fields.some(field => isRefusalOf(field, error))) return [];
    throw error;
  }
}

function datedIn(
  { label }: ServedType,
  values: Readonly<Record<string, unknown>>,
  timeZone: string,
): readonly Dated[] {
  const { title, name, from, block, anchor } = values;
  const words = [title, name, from, block, anchor].map(textOf).find(text => text !== null) ?? '';
  return Object.entries(FIELDS).flatMap(([field, kind]) => {
    const date = textOf(values[field]);
    const time = date === null ? Number.NaN : timeOf(date, timeZone);
    return Number.isNaN(time) ? [] : [{ time, kind, type: label, title: words }];
  });
}
