import { contentTypes, descriptions } from '../../shared/content/content-types.ts';
import {
  type ComponentDescription,
  type ContentTypeDescription,
  componentOf,
  type FieldDescription,
  isMany,
  type TypeDescription,
} from '../../shared/content/descriptions.ts';
import { panelDe } from '../../site/words/panel-de.ts';

type Attribute = Readonly<Record<string, unknown>>;

const TYPES = Object.entries(descriptions).map(([name, type]) => ({ name, type, uid: uidOf(name) }));
const RARE = 'Rarely needed';
/** Marks a draft that waits for an editor's approval. The site does not read this field. */
const APPROVAL: Readonly<Record<string, FieldDescription>> = {
  ready: {
    kind: 'flag',
    label: 'Ready to publish',
    hint: 'Tells the editors that this draft waits for them. Publishing takes it off',
    strapi: { private: true },
  },
};
const BY_CMS = { private: true, visible: false, writable: false };
/** When a draft became ready, and who said so. Only the CMS sets these. */
const WAITING = { readySince: { type: 'datetime', ...BY_CMS }, readyBy: { type: 'string', ...BY_CMS } };
const KEPT_BY_STRAPI = ['createdAt', 'updatedAt', 'publishedAt'];

/**
 * @returns the generated files of `cms/` by path. A field is required in Strapi if the site skips entries
 *   without it.
 */
export function cmsFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { name, type, uid } of TYPES) {
    if (type.storage === 'component') {
      files.set(`cms/src/components/site/${name}.json`, json(componentSchema(type)));
      continue;
    }
    const folder = `cms/src/api/${name}`;
    files.set(`${folder}/content-types/${name}/schema.json`, json(typeSchema(name, type)));
    files.set(`${folder}/controllers/${name}.js`, coreFactory('Controller', uid));
    files.set(`${folder}/services/${name}.js`, coreFactory('Service', uid));
    files.set(`${folder}/routes/${name}.js`, coreFactory('Router', uid));
  }
  files.set('cms/src/site/types.json', json(TYPES.map(typeSummary)));
  files.set('cms/src/site/panel/words.json', json({ de: panelDe }));
  return files;
}

function coreFactory(part: string, uid: string): string {
  return `const { factories } = require('@strapi/strapi');\n\nmodule.exports = factories.createCore${part}('${uid}');\n`;
}

function typeSummary({ name, type, uid }: (typeof TYPES)[number]): Attribute {
  const { storage, path, titleField, label, hidden } = type;
  const labels = fieldsOf(type).map(
    ([field, { label, hint }]) => [field, { label, ...(hint ? { hint } : {}) }] as const,
  );
  const list = 'list' in type ? type.list : undefined;
  return {
    name,
    uid,
    label,
    storage,
    path,
    ...(titleField ? { titleField } : {}),
    ...(hidden ? { hidden } : {}),
    ...(list ? { list } : {}),
    ...(type.form ? { form: formOf(type), groups: groupsOf(type) } : {}),
    labels: Object.fromEntries(labels),
  };
}

function formOf(type: ContentTypeDescription): readonly (readonly string[])[] {
  return [...(type.form ?? []), ...(hasDrafts(type) ? [Object.keys(APPROVAL)] : [])];
}

/** @returns the folded groups of fields below the always visible rows. The last group has the rare fields. */
function groupsOf(type: ContentTypeDescription): Attribute[] {
  const { hidden = [] } = type;
  const form = formOf(type);
  const others = fieldsOf(type).filter(([name]) => !form.flat().includes(name) && !hidden.includes(name));
  const byGroup = Map.groupBy(others, ([, { group }]) => group ?? RARE);
  return [...byGroup]
    .toSorted(([a], [b]) => Number(a === RARE) - Number(b === RARE))
    .map(([label, fields]) => {
      const former = fields.filter(([, field]) => field.former).map(([name]) => name);
      return {
        label,
        // Former fields stand below the fields that replaced them.
        fields: [...fields.map(([name]) => name).filter(name => !former.includes(name)), ...former],
        ...(former.length > 0 ? { former } : {}),
      };
    });
}

function typeSchema(name: string, type: TypeDescription): Attribute {
  const isSingle = type.storage === 'single';
  // Name a plural that differs from the singular, as Strapi requires. A single type's route is its singular.
  const plural = type.plural ?? (isSingle ? null : type.path) ?? `${name}s`;
  return {
    kind: isSingle ? 'singleType' : 'collectionType',
    // Keep the name of Strapi's own generator, because Strapi drops the old table when the name changes.
    collectionName: (type.table ?? plural).replaceAll('-', '_'),
    info: { singularName: name, pluralName: plural, displayName: type.label },
    options: { draftAndPublish: hasDrafts(type) },
    attributes: { ...attributesOf(type), ...(hasDrafts(type) ? WAITING : {}) },
  };
}

function componentSchema(type: ComponentDescription): Attribute {
  return {
    collectionName: `components_site_${type.name.replaceAll('-', '_')}`,
    info: { displayName: type.label },
    options: {},
    attributes: attributesOf(type),
  };
}

function attributesOf(type: ContentTypeDescription): Attribute {
  const fields = fieldsOf(type);
  const titleField = fields.find(([field]) => field === 'title' || field === 'name')?.[0];
  return Object.fromEntries(
    fields.map(([name, field]) => {
      // Require no slug: the CMS makes it from the title on saving. Strapi would use an empty title.
      const isRequired = field.required && !field.orElse && field.kind !== 'slug';
      const required = isRequired ? { required: true } : {};
      return [name, { ...attributeOf(field, titleField), ...required, ...field.strapi }];
    }),
  );
}

function attributeOf(field: FieldDescription, titleField: string | undefined): Attribute {
  switch (field.kind) {
    case 'text':
    case 'address':
      return { type: field.long ? 'text' : 'string' };
    case 'rich-text':
      return { type: 'richtext' };
    case 'slug':
      return { type: 'uid', targetField: titleField };
    case 'date':
      // Store a date without a time, so that an editor's time zone cannot change the day.
      return { type: 'date' };
    case 'moment':
      return { type: 'datetime' };
    case 'flag':
      return { type: 'boolean', default: false };
    case 'number':
    case 'order':
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
    case 'object':
    case 'list':
    case 'navigation':
      return componentAttribute(field) ?? { type: 'json' };
    case 'picture':
    case 'file':
      return { type: 'media', multiple: field.many ?? false, allowedTypes: ['images'] };
    case 'files':
    case 'labelled-files':
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
  return component && { type: 'component', repeatable: isMany(field), component: uidOf(component.name) };
}

function uidOf(name: string): string {
  return Object.hasOwn(contentTypes, name) ? `api::${name}.${name}` : `site.${name}`;
}

function fieldsOf(type: ContentTypeDescription): [string, FieldDescription][] {
  const own = Object.entries(type.fields).filter(([field]) => !KEPT_BY_STRAPI.includes(field));
  return hasDrafts(type) ? [...own, ...Object.entries(APPROVAL)] : own;
}

function hasDrafts(type: ContentTypeDescription): boolean {
  return 'drafts' in type && type.drafts === true;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
