import { contentTypes, type siteTypes } from '../../site/types.ts';
import {
  type ComponentDescription,
  type ContentTypeDescription,
  componentOf,
  type DecodedKinds,
  type FieldDescription,
  type KindByHand,
} from './descriptions.ts';
import { zoneComponents } from './zone-kinds.ts';

type ContentTypes = typeof contentTypes;
export type ContentTypeName = keyof ContentTypes;

function componentsIn(types: readonly ContentTypeDescription[]): readonly ComponentDescription[] {
  const found = new Set<ContentTypeDescription>(types);
  for (const { fields } of found)
    for (const field of Object.values<FieldDescription>(fields)) {
      const component = componentOf(field);
      if (component) found.add(component);
    }
  return [...found].filter(type => type.storage === 'component');
}

/** All content types and their components, by the names of Strapi's models. */
export const descriptions: Readonly<Record<string, ContentTypeDescription>> = {
  ...contentTypes,
  ...Object.fromEntries(
    componentsIn([...Object.values(contentTypes), ...zoneComponents]).map(one => [one.name, one]),
  ),
};

type ValueOf<Field> = Field extends { kind: 'choice'; of: readonly (infer Choice)[] }
  ? Choice | null
  : Field extends { kind: infer Kind extends keyof DecodedKinds }
    ? Field extends { required: true }
      ? NonNullable<DecodedKinds[Kind]>
      : DecodedKinds[Kind]
    : Field extends { kind: 'object'; component: infer Component }
      ? ItemOf<Component> | null
      : Field extends { kind: 'list'; component: infer Component }
        ? readonly ItemOf<Component>[]
        : Field extends { many: true }
          ? readonly RowOf<Field>[]
          : Field extends { reads: readonly (infer Read)[] }
            ? Pick<RowOf<Field>, Extract<Read | 'id', keyof RowOf<Field>>> | null
            : RowOf<Field> | null;

type RowOf<Field> = Field extends { target: infer Target extends ContentTypeName }
  ? EntityOf<Target>
  : Field extends { component: { fields: infer Fields } }
    ? { id: string } & ValuesOf<Fields>
    : never;

/** The values of one item, from a component (without its id) or from JSON with the same keys. */
export type ItemOf<Component> = Component extends { fields: infer Fields }
  ? {
      -readonly [Name in keyof ValuesOf<Fields>]: Component extends { needs: readonly (infer Needed)[] }
        ? Name extends Needed
          ? NonNullable<ValuesOf<Fields>[Name]>
          : ValuesOf<Fields>[Name]
        : ValuesOf<Fields>[Name];
    }
  : never;

export type ValuesOf<Fields> = {
  -readonly [Name in keyof Fields as Fields[Name] extends { kind: KindByHand } ? never : Name]: ValueOf<
    Fields[Name]
  >;
};

export type ListFields<Fields> = {
  [Name in keyof Fields as Fields[Name] extends { inLists: true | readonly string[] }
    ? Name
    : never]: Fields[Name] extends { inLists: infer Reads extends readonly string[] }
    ? Fields[Name] & { reads: Reads }
    : Fields[Name];
};

type NamedTypes = ContentTypes & typeof siteTypes;

export type FieldsOf<Name extends keyof NamedTypes> = ValuesOf<NamedTypes[Name]['fields']>;
/** `id` is `documentId ?? id`, because Strapi 5 changes the numeric id at every publish. */
export type EntityOf<Name extends keyof NamedTypes> = { id: string } & FieldsOf<Name>;
export type SummaryOf<Name extends keyof NamedTypes> = { id: string } & ValuesOf<
  ListFields<NamedTypes[Name]['fields']>
>;

export { contentTypes };
