const { mailHtml } = require('../forms/mail-texts.js');
const { settings } = require('../settings.js');
const { catalogueFor, mailWords } = require('../site-rules.js');
const { siteOf } = require('../site-of.js');
const types = require('../types.json');
const { versionOf } = require('./version-of.js');

const NOT_READY = { ready: false, readySince: null, readyBy: null };

/**
 * Mails editors once for each mark. Publishing takes the mark off, before the draft is copied. A copy has
 * none.
 */
function watchReady(strapi) {
  strapi.documents.use(async ({ action, contentType, params, uid }, next) => {
    const isKnown = ['create', 'update', 'clone', 'publish'].includes(action);
    // A type of an older project has no such fields.
    if (!isKnown || !contentType.attributes.readySince) return next();
    return strapi.db.transaction(async ({ onCommit }) => {
      const draft = await versionOf(strapi, uid, params.documentId, 'draft');
      const isDraft = ['create', 'update'].includes(action) && params.status !== 'published';
      const isReady = isDraft && (params.data?.ready ?? draft?.ready) === true;
      const isNew = isReady && !draft?.ready;
      const note = isNew ? { readySince: new Date(), readyBy: personOf(strapi) } : isReady ? {} : NOT_READY;
      if (action !== 'publish') params.data = { ...params.data, ...note };
      else if (draft?.ready) await strapi.db.query(uid).update({ where: { id: draft.id }, data: note });
      const result = await next();
      if (isNew) onCommit(() => mailEditors(strapi, uid, result.documentId));
      return result;
    });
  });
}

function personOf(strapi) {
  const { firstname, lastname, email } = strapi.requestContext.get()?.state.user ?? {};
  return [firstname, lastname].filter(Boolean).join(' ') || email || null;
}

/** The panel lists the draft, also without a mail (decision 217). */
async function mailEditors(strapi, uid, documentId) {
  try {
    const draft = await versionOf(strapi, uid, documentId, 'draft');
    const { editorsMail: to, url } = settings();
    // A draft that is published with its mark waits for nobody.
    if (!to || !draft?.ready) return;
    const type = types.find(one => one.uid === uid);
    const place = type.storage === 'single' ? `single-types/${uid}` : `collection-types/${uid}/${documentId}`;
    const form = `${strapi.config.get('admin.absoluteUrl')}/content-manager/${place}`;
    const site = await siteOf(strapi);
    const words = mailWords[catalogueFor(site.language) ?? 'en'].ready;
    const subject = words.subject.replace('{title}', () => draft.title || type.label);
    const from = draft.readyBy ? [draft.readyBy, ''] : [];
    const links = [`${form}/preview`, form];
    const text = [...from, words.preview, links[0], '', words.form, form].join('\n');
    const html = mailHtml(text, links, site, url);
    await strapi.plugin('email').service('email').send({ to, subject, text, html });
  } catch (error) {
    strapi.log.error(`Editors got no mail of a draft that is ready: ${error.message}`);
  }
}

/** @returns the drafts that are ready and that a person may read, the oldest first. */
async function readyDrafts(strapi, userAbility) {
  const found = [];
  for (const { uid, name, label, storage } of types) {
    if (!strapi.contentTypes[uid]?.attributes.readySince) continue;
    const permissions = strapi.plugin('content-manager').service('permission-checker');
    const checker = permissions.create({ userAbility, model: uid });
    if (checker.cannot.read()) continue;
    const { filters = {} } = await checker.sanitizedQuery.read({});
    const drafts = await strapi.documents(uid).findMany({
      filters: { $and: [filters, { ready: true }] },
      fields: ['title', 'readyBy', 'readySince'],
      status: 'draft',
    });
    const type = { model: name, isSingle: storage === 'single', type: label };
    for (const draft of drafts) found.push({ ...draft, ...type, id: draft.documentId });
  }
  return found.sort((a, b) => new Date(a.readySince) - new Date(b.readySince));
}

module.exports = { readyDrafts, watchReady };
