import type { Json, JsonRecord, Row } from './content-types.ts';
import { ALL_FIELDS, type Selection } from './populate.ts';

/** `flat` is Strapi 5's default shape. `v4` is its shape for the header `Strapi-Response-Format: v4`. */
export type AnswerShape = 'flat' | 'v4';

/**
 * @param selection the fields and links to show. A link that is not selected is absent, not null.
 * @returns the row as it stands in an answer.
 */
export function shapeRow(row: Row, selection: Selection, shape: AnswerShape): JsonRecord {
  const { id, documentId } = row;
  const attributes = { ...chosen(row, selection), ...links(row, selection, shape) };
  if (row.type.component) return { id, ...attributes };
  return shape === 'v4' ? { id, documentId, attributes } : { id, documentId, ...attributes };
}

function chosen(row: Row, selection: Selection): JsonRecord {
  if (selection.fields === null) return row.attributes;
  const names = selection.fields.filter(name => Object.hasOwn(row.attributes, name));
  return Object.fromEntries(names.map(name => [name, row.attributes[name] ?? null]));
}

function links(row: Row, selection: Selection, shape: AnswerShape): JsonRecord {
  const shaped: JsonRecord = {};
  const populate = selection.allLinks
    ? new Map(Object.keys(row.type.links).map(key => [key, ALL_FIELDS]))
    : selection.populate;
  for (const [key, selected] of populate) {
    const link = row.type.links[key];
    const linked = row.links[key];
    // Without rows the attribute is the JSON of its file.
    if (!link || (link.orJson && !linked)) continue;
    const rows = (linked ?? []).map(inner => ({
      ...(link.kind === 'zone' ? { __component: `site.${inner.type.name}` } : {}),
      ...shapeRow(inner, selected, shape),
    }));
    const value: Json = link.many ? rows : (rows[0] ?? null);
    // Components are part of their entry, so no shape wraps them.
    shaped[key] =
      shape === 'v4' && link.kind !== 'component' && link.kind !== 'zone' ? { data: value } : value;
  }
  return shaped;
}
