const { contentTypes } = require('@strapi/utils');
const { settings } = require('../settings.js');
const { messageType } = require('../forms/message-type.js');
const siteTypes = require('../types.json');

const types = [...siteTypes, messageType];

/** Kinds of fields to which Strapi gives a whole row. */
const WIDE = ['richtext', 'blocks', 'json', 'component', 'dynamiczone'];
const ROW = 12;

/**
 * Gives the types of the panel the labels, forms and lists of `types.json`. What somebody has changed in the
 * panel stays: labels are set while `types.json` has other ones than before, and a form or a list while it is
 * as Strapi makes it, or as it was set here last. `SITE_FORMS=renew` sets all forms and lists.
 * @param typesBefore the types of the last start, whose order Strapi's own forms have.
 */
async function setForms(strapi, typesBefore) {
  const [labelStore, formStore] = ['labels', 'forms'].map(key =>
    strapi.store({ type: 'core', name: 'site', key }),
  );
  const labelsBefore = (await labelStore.get()) ?? {};
  const formsBefore = (await formStore.get()) ?? {};
  const set = {};
  for (const type of types) {
    const isComponent = type.storage === 'component';
    const model = isComponent ? strapi.components[type.uid] : strapi.contentTypes[type.uid];
    if (!model) continue;
    const service = strapi.plugin('content-manager').service(isComponent ? 'components' : 'content-types');
    const configuration = await service.findConfiguration(model);
    setLabels(configuration, type, labelsBefore[type.uid]);
    if (type.form) {
      const former = typesBefore?.[type.uid] ?? model;
      set[type.uid] = await arrange(strapi, configuration, type, model, former, formsBefore[type.uid]);
    }
    await service.updateConfiguration(model, configuration);
  }
  await labelStore.set({ value: Object.fromEntries(types.map(type => [type.uid, type])) });
  await formStore.set({ value: set });
}

/** A field that was there before this folder keeps its own words. */
function setLabels({ settings: view, layouts, metadatas }, { labels, titleField, hidden = [] }, before) {
  if (titleField && before?.titleField !== titleField) view.mainField = titleField;
  const newlyHidden = hidden.filter(field => !before?.hidden?.includes(field));
  layouts.edit = layouts.edit
    .map(row => row.filter(({ name }) => !newlyHidden.includes(name)))
    .filter(row => row.length > 0);
  for (const [field, { label, hint = '' }] of Object.entries(labels)) {
    const known = before?.labels[field];
    if (!metadatas[field]) continue;
    const { edit, list } = metadatas[field];
    const isSet = known
      ? known.label === label && (known.hint ?? '') === hint
      : edit.label !== field || Boolean(edit.description);
    if (isSet) continue;
    Object.assign(edit, { label, description: hint });
    if (list) list.label = label;
  }
}

/** @returns what was set, for the next start. */
async function arrange(strapi, configuration, type, model, former, known = {}) {
  const { layouts, settings: view, metadatas } = configuration;
  const renew = settings().forms === 'renew';
  if (renew || isFormOurs(layouts.edit, known.edit, model, former, type)) {
    layouts.edit = await formOf(strapi, type, model, layouts.edit);
    known.edit = layouts.edit;
    for (const field of type.editable ? type.form.flat() : [])
      metadatas[field].edit.editable = type.editable.includes(field);
  }
  const list = type.list?.filter(field => field in model.attributes) ?? [];
  if (list.length > 0 && (renew || isListOurs(layouts.list, view, known.list))) {
    layouts.list = list;
    known.list = list;
    // A draft has no date yet: the day of its creation sorts both.
    Object.assign(view, { defaultSortBy: 'createdAt', defaultSortOrder: 'DESC' });
  }
  return known;
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

/** Strapi cannot count by files. */
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
