/**
 * The attributes of Strapi whose values the site reads where its own type has another one. All others have to
 * be the same.
 */
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

const isMany = ({ relation }) => relation.endsWith('Many');

/** @returns whether the site can use the values of an attribute in place of those of its own type. */
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

module.exports = { attributeFits, attributeInWords };
