const types = require('../types.json');

/**
 * Gives the fields the labels of `types.json`, and the entries the fields that name them. An administrator may change them: they are set
 * again only when `types.json` has others.
 */
async function setLabels(strapi) {
  const store = strapi.store({ type: 'core', name: 'site', key: 'labels' });
  const before = (await store.get()) ?? {};
  const contentManager = strapi.plugin('content-manager');
  for (const { uid, storage, labels, titleField } of types) {
    const service = contentManager.service(storage === 'component' ? 'components' : 'content-types');
    const model = storage === 'component' ? strapi.components[uid] : strapi.contentTypes[uid];
    const configuration = await service.findConfiguration(model);
    if (titleField && before[uid]?.titleField !== titleField) configuration.settings.mainField = titleField;
    for (const [field, { label, hint = '' }] of Object.entries(labels)) {
      const metadata = configuration.metadatas[field];
      const known = before[uid]?.labels[field];
      if (!metadata || (known?.label === label && (known.hint ?? '') === hint)) continue;
      Object.assign(metadata.edit, { label, description: hint });
      if (metadata.list) metadata.list.label = label;
    }
    await service.updateConfiguration(model, configuration);
  }
  await store.set({ value: Object.fromEntries(types.map(type => [type.uid, type])) });
}

module.exports = { setLabels };
