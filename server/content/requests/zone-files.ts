import { componentOf, isMany } from '../../../shared/content/descriptions.ts';
import { zoneBlock } from '../../../shared/content/zone-kinds.ts';
import type { JsonAnswer } from '../../backend/backend-client.ts';
import { BackendError } from '../../errors.ts';
import { isLink, type ServedType } from '../../wire/described-types.ts';
import { entryOf, isObject, rowsOf } from '../../wire/wire.ts';

/**
 * Adds the files in a block's lists, such as portraits. Strapi sends a zone one level deep, so a second call
 * names the components that need more. Named in the first call, they would make Strapi leave out all others.
 * @param ask calls for the same rows with another selection.
 */
export async function withZoneFiles(
  { fields }: ServedType,
  answer: JsonAnswer,
  ask: (selection: string) => Promise<JsonAnswer>,
): Promise<JsonAnswer> {
  const zones = Object.keys(fields).filter(name => fields[name]?.kind === 'zone');
  const asked = new Set(
    zones.flatMap(zone =>
      itemsIn(answer.body, zone).flatMap(item => {
        const paths = listsWithFiles(item).flatMap(({ list, files }) => files.map(file => `${list}.${file}`));
        const place = `populate[${zone}][on][${String(item.__component)}][populate]`;
        return paths.length > 0 ? [`${place}=${paths}`] : [];
      }),
    ),
  );
  if (asked.size === 0) return answer;
  const deep = await ask(['fields[0]=slug', ...asked].join('&')).catch((error: unknown) => {
    // Show the blocks without these files, because a component in the CMS lacks a field.
    if (error instanceof BackendError && error.status === 400) return null;
    throw error;
  });
  return deep ? merged(answer, deep, zones) : answer;
}

function listsWithFiles(
  item: unknown,
): readonly { readonly list: string; readonly files: readonly string[] }[] {
  return Object.entries(zoneBlock(item)?.component.fields ?? {}).flatMap(([list, field]) => {
    const inner = Object.entries((isMany(field) && componentOf(field)?.fields) || {});
    const files = inner.flatMap(([name, one]) => (isLink(one) ? [name] : []));
    return files.length > 0 ? [{ list, files }] : [];
  });
}

function merged({ text }: JsonAnswer, deep: JsonAnswer, zones: readonly string[]): JsonAnswer {
  const body: unknown = JSON.parse(text);
  for (const zone of zones) {
    const found = Map.groupBy(itemsIn(deep.body, zone), ({ __component }) => __component);
    for (const item of itemsIn(body, zone)) {
      // Both responses have the items of a component in the same order.
      const same = found.get(item.__component)?.shift();
      for (const { list } of listsWithFiles(item)) item[list] = same?.[list] ?? item[list];
    }
  }
  return { text: JSON.stringify(body), body };
}

function itemsIn(body: unknown, zone: string): Record<string, unknown>[] {
  const rows = rowsOf(body) ?? [];
  return rows.flatMap(row => rowsOf(entryOf(row)?.attributes[zone]) ?? []).filter(isObject);
}
