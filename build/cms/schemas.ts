import {
  type ContentTypeDescription,
  type ContentTypeName,
  componentOf,
  contentTypes,
  type FieldDescription,
} from '../../shared/content/content-types.ts';
import { TYPE_NAMES } from '../../shared/content/type-names.ts';
import { FIELD_LABELS, type FieldLabel, LABELS_OF_TYPES, TYPE_LABELS } from './labels.ts';

type Attribute = Readonly<Record<string, unknown>>;

const TYPES = (Object.entries(contentTypes) as [ContentTypeName, ContentTypeDescription][]).map(
  ([name, type]) => ({ name, type, uid: uidOf(name) }),
);
/** Fields that each entry of Strapi has by itself. */
const KEPT_BY_STRAPI = ['createdAt', 'updatedAt', 'publishedAt'];

/**
 * The generated files of `cms/` by their paths: the schema of each type and component, the three files that Strapi needs to serve a type,
 * and `cms/src/site/types.json` with all that the bootstrap of the CMS has to know about the types.
 *
 * The kind of a field decides its attribute in Strapi:
 *
 * | kind | attribute |
 * |---|---|
 * | `text`, `address` | `string`; `text` if its label says `long` |
 * | `rich-text`, `source-text` | `richtext`, which is Markdown |
 * | `slug` | `uid`, suggested from the title or the name |
 * | `date` | `date` without a time: no time zone of an editor can change the day |
 * | `flag` | `boolean` |
 * | `number` | `integer` |
 * | `json`, `json-ld`, `texts`, `questions`, `links`, `navigation` | `json`; a component of the group `site` if the field names a `component`, repeatable with `many` |
 * | `choice` | `enumeration` |
 * | `lines` | `text` |
 * | `picture`, `file` | `media` for one picture, or for several with `many` |
 * | `files` | `media` for several files |
 * | `relation` | `relation` to one entry, or to several with `many` |
 * | `zone` | `dynamiczone` of components of the group `site` |
 * | `component` | `component` of the group `site`, repeatable with `many` |
 *
 * A field is required in Strapi if the site leaves out entries without it. Strapi checks that when an entry is published.
 */
export function cmsFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { name, type, uid } of TYPES) {
    if (type.storage === 'component') {
      files.set(`cms/src/components/site/${name}.json`, json(componentSchema(name, type)));
      continue;
    }
    const folder = `cms/src/api/${name}`;
    files.set(`${folder}/content-types/${name}/schema.json`, json(typeSchema(name, type)));
    files.set(`${folder}/controllers/${name}.js`, coreFactory('Controller', uid));
    files.set(`${folder}/services/${name}.js`, coreFactory('Service', uid));
    files.set(`${folder}/routes/${name}.js`, coreFactory('Router', uid));
  }
  files.set('cms/src/site/types.json', json(TYPES.map(typeSummary)));
  return files;
}

function coreFactory(part: string, uid: string): string {
  return `const { factories } = require('@strapi/strapi');\n\nmodule.exports = factories.createCore${part}('${uid}');\n`;
}

/** The plurals that are no path and have more than an `s`. Strapi wants a plural that differs from the singular. */
const PLURALS: Readonly<Record<string, string>> = { country: 'countries', settings: 'settings-list' };
/** The tables whose names are not the plurals of their types. */
const TABLES: Readonly<Record<string, string>> = { settings: 'settings' };

function typeSummary({ name, type, uid }: (typeof TYPES)[number]): Attribute {
  const { storage, path } = type;
  const labels = fieldsOf(type).map(([field]) => {
    const { label, hint } = labelOf(name, field);
    return [field, { label, ...(hint ? { hint } : {}) }] as const;
  });
  const { titleField, hidden } = TYPE_LABELS[name] ?? {};
  return {
    name,
    uid,
    storage,
    path,
    ...(titleField ? { titleField } : {}),
    ...(hidden ? { hidden } : {}),
    labels: Object.fromEntries(labels),
  };
}

function typeSchema(name: ContentTypeName, type: ContentTypeDescription): Attribute {
  const isSingle = type.storage === 'single';
  // The route of a collection is its plural name, that of a single type its singular name.
  const plural = PLURALS[name] ?? (isSingle ? null : type.path) ?? `${name}s`;
  return {
    kind: isSingle ? 'singleType' : 'collectionType',
    // As Strapi's own generator names it: Strapi drops a table whose name is no longer that of its type.
    collectionName: (TABLES[name] ?? plural).replaceAll('-', '_'),
    info: { singularName: name, pluralName: plural, displayName: TYPE_NAMES[name] },
    options: { draftAndPublish: TYPE_LABELS[name]?.drafts ?? false },
    attributes: attributesOf(name, type),
  };
}

function componentSchema(name: ContentTypeName, type: ContentTypeDescription): Attribute {
  return {
    collectionName: `components_site_${name.replaceAll('-', '_')}`,
    info: { displayName: TYPE_NAMES[name] },
    options: {},
    attributes: attributesOf(name, type),
  };
}

function attributesOf(name: ContentTypeName, type: ContentTypeDescription): Attribute {
  const fields = fieldsOf(type);
  const titleField = fields.find(([field]) => field === 'title' || field === 'name')?.[0];
  return Object.fromEntries(
    fields.map(([field, description]) => {
      const attribute = attributeOf(description, labelOf(name, field), titleField);
      // The CMS makes the address when an entry is saved. Strapi would fill it in before, from an empty title.
      const isRequired = description.required && !description.orElse && description.kind !== 'slug';
      const required = isRequired ? { required: true } : {};
      return [field, { ...attribute, ...required, ...EXTRAS[`${name}.${field}`] }];
    }),
  );
}

/** Rules of single fields, which do not follow from their kinds. */
const EXTRAS: Readonly<Record<string, Attribute>> = {
  // Amounts have cents. An integer would lose them, and a decimal of Strapi ends at 99,999,999.
  'usd-metric.value': { type: 'float' },
  'media-section.file': { allowedTypes: ['images', 'videos', 'audios', 'files'] },
  'media-section.captions': { allowedTypes: ['files'] },
  'gallery-section.files': { allowedTypes: ['images'] },
  'redirect.from': { required: true, unique: true },
  'redirect.statusCode': { default: 307, min: 301, max: 410 },
};

function attributeOf(field: FieldDescription, label: FieldLabel, titleField: string | undefined): Attribute {
  switch (field.kind) {
    case 'text':
    case 'address':
      return { type: label.long ? 'text' : 'string' };
    case 'rich-text':
    case 'source-text':
      return { type: 'richtext' };
    case 'slug':
      return { type: 'uid', targetField: titleField };
    case 'date':
      return { type: 'date' };
    case 'flag':
      return { type: 'boolean', default: false };
    case 'number':
      return { type: 'integer' };
    case 'lines':
      return { type: 'text' };
    case 'zone':
      return { type: 'dynamiczone', components: ('of' in field ? (field.of ?? []) : []).map(uidOf) };
    case 'choice':
      return { type: 'enumeration', enum: 'of' in field ? field.of : [] };
    case 'component':
    case 'json':
    case 'json-ld':
    case 'texts':
    case 'questions':
    case 'links':
    case 'navigation':
      return componentAttribute(field) ?? { type: 'json' };
    case 'picture':
    case 'file':
      return { type: 'media', multiple: field.many ?? false, allowedTypes: ['images'] };
    case 'files':
      return { type: 'media', multiple: true, allowedTypes: ['images', 'files'] };
    case 'relation':
      return {
        type: 'relation',
        relation: field.many ? 'oneToMany' : 'manyToOne',
        target: uidOf(field.target),
      };
  }
}

function componentAttribute(field: FieldDescription): Attribute | null {
  const component = componentOf(field);
  if (component === null) return null;
  const repeatable = 'many' in field && field.many === true;
  return { type: 'component', repeatable, component: uidOf(component) };
}

function uidOf(name: string): string {
  const type: ContentTypeDescription | undefined = Object.entries(contentTypes).find(
    ([known]) => known === name,
  )?.[1];
  return type?.storage === 'component' ? `site.${name}` : `api::${name}.${name}`;
}

function fieldsOf(type: ContentTypeDescription): [string, FieldDescription][] {
  return Object.entries(type.fields).filter(([field]) => !KEPT_BY_STRAPI.includes(field));
}

function labelOf(type: string, field: string): FieldLabel {
  const ofType: Readonly<Record<string, FieldLabel | undefined>> = LABELS_OF_TYPES;
  const ofField: Readonly<Record<string, FieldLabel | undefined>> = FIELD_LABELS;
  const { pageHint, ...found } = ofType[`${type}.${field}`] ?? ofField[field] ?? { label: field };
  const isComponent = uidOf(type).startsWith('site.');
  return pageHint && !isComponent ? { ...found, hint: pageHint } : found;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
