const { messageType } = require('../forms/message-type.js');
const siteTypes = require('../types.json');

const types = [...siteTypes, messageType];

/**
 * Gives the fields the labels of `types.json`, and the entries the fields that name them, and takes hidden
 * fields out of the forms. An administrator may change all this: it is set again only when `types.json` has
 * other values. A field that was there before this folder keeps its own words.
 */
async function setLabels(strapi) {
  const store = strapi.store({ type: 'core', name: 'site', key: 'labels' });
  const before = (await store.get()) ?? {};
  const contentManager = strapi.plugin('content-manager');
  for (const { uid, storage, labels, titleField, hidden = [] } of types) {
    const model = storage === 'component' ? strapi.components[uid] : strapi.contentTypes[uid];
    if (!model) continue;
    const service = contentManager.service(storage === 'component' ? 'components' : 'content-types');
    const configuration = await service.findConfiguration(model);
    if (titleField && before[uid]?.titleField !== titleField) configuration.settings.mainField = titleField;
    const newlyHidden = hidden.filter(field => !before[uid]?.hidden?.includes(field));
    configuration.layouts.edit = configuration.layouts.edit
      .map(row => row.filter(({ name }) => !newlyHidden.includes(name)))
      .filter(row => row.length > 0);
    for (const [field, { label, hint = '' }] of Object.entries(labels)) {
      const metadata = configuration.metadatas[field];
      const known = before[uid]?.labels[field];
      if (!metadata) continue;
      const { label: shown, description: shownHint } = metadata.edit;
      const isSet = known
        ? known.label === label && (known.hint ?? '') === hint
        : shown !== field || Boolean(shownHint);
      if (isSet) continue;
      Object.assign(metadata.edit, { label, description: hint });
      if (metadata.list) metadata.list.label = label;
    }
    await service.updateConfiguration(model, configuration);
  }
  await store.set({ value: Object.fromEntries(types.map(type => [type.uid, type])) });
}

module.exports = { setLabels };
