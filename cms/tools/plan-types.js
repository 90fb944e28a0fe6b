/** Attributes whose values the site can read in place of those of its own type. */
const READ_AS = {
  string: ['text', 'richtext', 'uid', 'email', 'enumeration', 'customField'],
  text: ['string', 'richtext', 'uid', 'email', 'enumeration', 'customField'],
  richtext: ['text', 'string', 'blocks', 'customField'],
  uid: ['string', 'text'],
  date: ['datetime'],
  integer: ['biginteger', 'float', 'decimal'],
  float: ['integer', 'biginteger', 'decimal'],
  enumeration: ['string'],
  component: ['json'],
};

/**
 * Compares the types of a project with those of the site.
 * A type is the same if Strapi serves it at the same address. A component is the same if a field of one name
 * has both, or if both have one name. So `shared.seo` in the field `seo` gets what `site.seo` has. A field is
 * the same if its name is.
 * @returns schemas to add, schemas with attributes to add, conflicts in words, and the project's names of
 *   types and components.
 */
function planTypes(site, project) {
  const conflicts = [];
  const typeOf = new Map();
  const refusedTypes = new Set();
  for (const [uid, { schema }] of site.types) {
    const found = [...project.types].find(([, other]) => hasSameAddress(other.schema, schema));
    const rival = found ? null : [...project.types].find(([, other]) => sharesName(other.schema, schema));
    if (found) typeOf.set(uid, found[0]);
    if (!rival) continue;
    refusedTypes.add(uid);
    conflicts.push(
      `The type ${uid} cannot be added: the type ${rival[0]} has one of its names, and another address. The site does without it: its pages are a 404 or 503.`,
    );
  }
  const componentOf = new Map();
  const pairs = matchingSchemas();
  const nameOf = uid => typeOf.get(uid) ?? componentOf.get(uid) ?? uid;

  const added = new Map();
  const tables = new Set(
    [...project.types.values(), ...project.components.values()].map(({ schema }) => schema.collectionName),
  );
  const changed = pairs.flatMap(pair => changeOf(pair) ?? []);
  for (const [uid, { schema }] of site.types)
    if (!typeOf.has(uid) && !refusedTypes.has(uid)) add(uid, schema);
  return { added, changed, conflicts, nameOf };

  /** @returns the schemas that both have: `{ uid, file, schema, wanted }`. Fills `componentOf`. */
  function matchingSchemas() {
    const found = [...typeOf].map(([wanted, uid]) => ({
      uid,
      ...project.types.get(uid),
      wanted: site.types.get(wanted).schema,
    }));
    const seen = new Set();
    const match = (wanted, uid) => {
      if (!project.components.has(uid) || !site.components.has(wanted)) return;
      if (!componentOf.has(wanted)) componentOf.set(wanted, uid);
      if (seen.has(`${wanted} ${uid}`)) return;
      seen.add(`${wanted} ${uid}`);
      found.push({ uid, ...project.components.get(uid), wanted: site.components.get(wanted).schema });
    };
    // The list grows while it is read: components have components.
    for (const { schema, wanted } of found)
      for (const [name, attribute] of Object.entries(wanted.attributes)) {
        const existing = schema.attributes[name];
        if (attribute.type === 'component' && existing?.type === 'component')
          match(attribute.component, existing.component);
      }
    for (const uid of site.components.keys()) match(uid, uid);
    return found;
  }

  function changeOf({ uid, file, schema, wanted }) {
    const attributes = {};
    const values = {};
    for (const [name, attribute] of Object.entries(wanted.attributes)) {
      const existing = schema.attributes[name];
      const mine = { ...attribute, ...(attribute.target ? { target: nameOf(attribute.target) } : {}) };
      if (!existing) {
        if (refusedTypes.has(attribute.target)) continue;
        // Entries that are there have no value yet, and could not be saved.
        const { required: _, ...optional } = withOwnNames(attribute);
        attributes[name] = optional;
      } else if (!attributeFits(existing, mine)) {
        const cost = attribute.required ? 'leaves the entry out' : 'does without it';
        conflicts.push(
          `${uid}: the field ${name} is ${attributeInWords(existing)}, and the site reads one that is ${attributeInWords(mine)}. Where it cannot use a value it ${cost}, with a line in its log.`,
        );
      } else if (existing.type === 'enumeration' && attribute.type === 'enumeration') {
        const further = attribute.enum.filter(value => !existing.enum.includes(value));
        if (further.length > 0) values[name] = further;
      }
    }
    const isWhole = Object.keys(attributes).length === 0 && Object.keys(values).length === 0;
    return isWhole ? null : { uid, file, schema, attributes, values };
  }

  /** Adds a schema of the site, with the components that it needs. */
  function add(uid, schema) {
    if (added.has(uid)) return;
    const isTaken = tables.has(schema.collectionName);
    const collectionName = isTaken ? `site_${schema.collectionName}` : schema.collectionName;
    added.set(uid, null);
    const attributes = Object.entries(schema.attributes)
      .filter(([, { target }]) => !refusedTypes.has(target))
      .map(([name, attribute]) => [name, withOwnNames(attribute)]);
    added.set(uid, { ...schema, collectionName, attributes: Object.fromEntries(attributes) });
  }

  /** Gives an attribute the project's names. Adds the components that the project lacks. */
  function withOwnNames(attribute) {
    const { target, component, components } = attribute;
    for (const uid of [component, ...(components ?? [])])
      if (uid && !componentOf.has(uid)) add(uid, site.components.get(uid).schema);
    return {
      ...attribute,
      ...(target ? { target: nameOf(target) } : {}),
      ...(component ? { component: nameOf(component) } : {}),
      ...(components ? { components: components.map(nameOf) } : {}),
    };
  }
}

/** The address of a collection is its plural name, that of a single type its singular name. */
function hasSameAddress(schema, wanted) {
  const name = wanted.kind === 'singleType' ? 'singularName' : 'pluralName';
  return schema.kind === wanted.kind && schema.info[name] === wanted.info[name];
}

function sharesName({ info }, { info: wanted }) {
  const names = [info.singularName, info.pluralName];
  return names.includes(wanted.singularName) || names.includes(wanted.pluralName);
}

const isMany = ({ relation }) => relation.endsWith('Many');

function attributeFits(existing, wanted) {
  if (existing.type !== wanted.type) return READ_AS[wanted.type]?.includes(existing.type) ?? false;
  if (wanted.type === 'relation')
    return existing.target === wanted.target && isMany(existing) === isMany(wanted);
  if (wanted.type === 'component') return Boolean(existing.repeatable) === Boolean(wanted.repeatable);
  return true;
}

/** @returns an attribute in words: `a relation to several api::tag.tag`. */
function attributeInWords(attribute) {
  const { type, target, component, repeatable } = attribute;
  if (type === 'relation')
    return `a relation to ${isMany(attribute) ? 'several' : 'one'} ${target ?? 'any type'}`;
  if (type === 'component') return `${repeatable ? 'a list of components' : 'one component'} ${component}`;
  return `of the type ${type}`;
}

module.exports = { planTypes };
