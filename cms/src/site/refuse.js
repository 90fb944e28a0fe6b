const { errors } = require('@strapi/utils');
const types = require('./types.json');

/** Refuses a save with sentences for the panel, each below its field. */
function refuse(...problems) {
  const sentences = problems.map(({ sentence }) => sentence).join('\n');
  throw new errors.ValidationError(sentences, {
    errors: problems.map(({ field, sentence }) => ({
      path: [field],
      message: sentence,
      name: 'ValidationError',
    })),
  });
}

function labelOf(uid, field) {
  return `“${types.find(type => type.uid === uid)?.labels[field]?.label ?? field}”`;
}

/** @returns a place in an entry in the words of the form: `items[2].href` is `“Items” 3 → “Address”`. */
function placeIn(strapi, uid, path) {
  const names = [];
  let model = strapi.getModel(uid);
  for (const part of path.match(/[^.[\]]+/g) ?? []) {
    if (/^\d+$/.test(part)) names.push(`${names.pop()} ${Number(part) + 1}`);
    else {
      names.push(labelOf(model.uid, part));
      model = strapi.components[model.attributes[part]?.component] ?? model;
    }
  }
  return names.join(' → ');
}

/** @returns names as a list: “A”, “B” and 3 more. */
function listOf(names, most = 10) {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

module.exports = { labelOf, listOf, placeIn, refuse };
