const { contentTypes } = require('@strapi/utils');
const { settings } = require('../settings.js');
const { messageType } = require('../forms/message-type.js');
const siteTypes = require('../types.json');

const types = [...siteTypes, messageType];

/** Kinds of fields to which Strapi gives a whole row. */
const WIDE = ['richtext', 'blocks', 'json', 'component', 'dynamiczone'];
const ROW = 12;

/**
 * Arranges the forms and lists of the panel as `types.json` says. What somebody has arranged in the panel
 * stays: a form or a list is set while it is as Strapi makes it, or as it was set here last. `SITE_FORMS=renew`
 * sets all of them.
 * @param typesBefore the types of the last start, whose order Strapi's own forms have.
 */
async function setForms(strapi, typesBefore) {
  const store = strapi.store({ type: 'core', name: 'site', key: 'forms' });
  const before = (await store.get()) ?? {};
  const set = {};
  for (const type of types) {
    const isComponent = type.storage === 'component';
    const model = isComponent ? strapi.components[type.uid] : strapi.contentTypes[type.uid];
    if (!model || !type.form) continue;
    const service = strapi.plugin('content-manager').service(isComponent ? 'components' : 'content-types');
    const configuration = await service.findConfiguration(model);
    const { layouts, settings: view } = configuration;
    const known = before[type.uid] ?? {};
    const renew = settings().forms === 'renew';
    if (renew || isFormOurs(layouts.edit, known.edit, model, typesBefore?.[type.uid] ?? model, type)) {
      layouts.edit = await formOf(strapi, type, model, layouts.edit);
      known.edit = layouts.edit;
      for (const field of type.editable ? type.form.flat() : [])
        configuration.metadatas[field].edit.editable = type.editable.includes(field);
    }
    const list = type.list?.filter(field => field in model.attributes) ?? [];
    if (list.length > 0 && (renew || isListOurs(layouts.list, view, known.list))) {
      layouts.list = list;
      known.list = list;
      // A draft has no date yet: the day of its creation sorts both.
      Object.assign(view, { defaultSortBy: 'createdAt', defaultSortOrder: 'DESC' });
    }
    await service.updateConfiguration(model, configuration);
    set[type.uid] = known;
  }
  await store.set({ value: set });
}

/** Whether a form is as Strapi makes it, in the order of the fields, or as it was set last. */
function isFormOurs(present, last, model, former, { hidden = [] }) {
  const cells = present.flat();
  if (last) {
    const kept = last.flat().filter(({ name }) => name in model.attributes);
    const ours = cells.filter(({ name }) => kept.some(cell => cell.name === name));
    return isSame(ours.map(cellKey), kept.map(cellKey));
  }
  const visible = contentTypes.getVisibleAttributes(former);
  const expected = visible.filter(name => name in model.attributes && !hidden.includes(name));
  const ours = cells.map(({ name }) => name).filter(name => expected.includes(name));
  return isSame(ours, expected);
}

function isListOurs(present, { defaultSortBy, defaultSortOrder }, last) {
  if (!last) return present[0] === 'id' && defaultSortOrder === 'ASC';
  return isSame(present, last) && defaultSortBy === 'createdAt' && defaultSortOrder === 'DESC';
}

const cellKey = ({ name, size }) => `${name} ${size}`;
const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** @returns the rows of a form: those of the description, fields that it does not know, and its groups. */
async function formOf(strapi, { uid, form, groups, hidden = [] }, { attributes }, present) {
  const rows = form.map(row => row.filter(field => field in attributes));
  const grouped = [];
  for (const { fields, former = [] } of groups) {
    const shown = [];
    for (const field of fields)
      if (field in attributes && (!former.includes(field) || (await hasValues(strapi, uid, field))))
        shown.push(field);
    grouped.push(...inRows(shown, attributes));
  }
  const described = [...form.flat(), ...groups.flatMap(({ fields }) => fields), ...hidden];
  const own = present.map(row => row.filter(({ name }) => !described.includes(name)));
  const sized = row => row.map(name => ({ name, size: ROW / row.length }));
  return [...rows.map(sized), ...own, ...grouped].filter(row => row.length > 0);
}

function inRows(fields, attributes) {
  const rows = [];
  for (const name of fields) {
    const size = WIDE.includes(attributes[name].type) ? ROW : ROW / 2;
    const row = rows.at(-1);
    if (row?.length === 1 && row[0].size + size <= ROW) row.push({ name, size });
    else rows.push([{ name, size }]);
  }
  return rows;
}

/** Whether an entry has a value in a field. Strapi cannot count by files. */
async function hasValues(strapi, uid, field) {
  if (strapi.getModel(uid).attributes[field].type !== 'media')
    return (await strapi.db.query(uid).count({ where: { [field]: { $notNull: true, $ne: '' } } })) > 0;
  const { joinTable } = strapi.db.metadata.get('plugin::upload.file').attributes.related;
  const { typeColumn } = joinTable.morphColumn;
  const row = await strapi.db
    .getConnection(joinTable.name)
    .where({ [typeColumn.name]: uid, field })
    .first();
  return row !== undefined;
}

module.exports = { setForms };
