const { strings } = require('@strapi/utils');
const { labelOf, refuse } = require('../refuse.js');
const { descriptions, fixedAddressOf, slugOfName } = require('../site-rules.js');
const types = require('../types.json');
const { uidOf } = require('../types.js');
const { editedVersion, hasDrafts, versionOf } = require('./version-of.js');

/** The form of addresses that editors type. Others that are there already stay. */
const FORM = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const WANTED = 'small letters from a to z, digits and hyphens';
const EXAMPLE = 'new-office';
const MAX_LENGTH = 80;
/** Letters that a language writes with two. In other languages they lose their marks. */
const SPELLINGS = { de: { ä: 'ae', ö: 'oe', ü: 'ue' } };

/** The types with addresses, by uid. */
const ADDRESSED = new Map(
  types.flatMap(({ name, uid }) => {
    const { fields, path } = descriptions[name];
    return fields.slug ? [[uid, { path, isRequired: fields.slug.required === true }]] : [];
  }),
);

/** Turns off Strapi's own checks, which show a regular expression and fill in `article` without a title. */
function openAddresses(strapi) {
  for (const uid of ADDRESSED.keys()) {
    const slug = strapi.contentTypes[uid]?.attributes.slug;
    if (slug?.type === 'uid') Object.assign(slug, { required: false, regex: '.*' });
  }
}

/**
 * Gives each entry an address from its title. It follows the title until the entry is published, or until an
 * editor types another one.
 */
function keepAddresses(strapi) {
  strapi.documents.use(async (context, next) => {
    const { action, params, uid } = context;
    if (ADDRESSED.has(uid)) {
      if (action === 'create' || action === 'update') params.data = await withAddress(strapi, uid, params);
      else if (action === 'clone') params.data = await withCopiedAddress(strapi, uid, params);
      else if (action === 'publish') await completeDraft(strapi, uid, params.documentId);
    }
    return next();
  });
}

async function withAddress(strapi, uid, { documentId, data }) {
  const before = await editedVersion(strapi, uid, documentId);
  const typed = textOf(data?.slug);
  if (typed !== '' && typed !== before?.slug) {
    await checkAddress(strapi, uid, typed, documentId);
    return { ...data, slug: typed };
  }
  const title = titleOf(strapi, uid, { ...before, ...data });
  const isCleared = data?.slug !== undefined && typed === '';
  // An entry that an import brings keeps the address that the site makes from its name.
  const isWanted = ADDRESSED.get(uid).isRequired || (!before && strapi.isLoaded);
  const isMissing = (isCleared || !before?.slug) && isWanted;
  if (!isMissing && !(before?.slug && (await follows(strapi, uid, before, title)))) return data;
  const slug = await proposedAddress(strapi, uid, title, documentId);
  if (slug === null && title !== '' && !hasDrafts(strapi.contentTypes[uid])) refuseTitle(uid, title);
  return { ...data, slug };
}

async function withCopiedAddress(strapi, uid, { documentId, data }) {
  const copied = { ...(await editedVersion(strapi, uid, documentId)), ...data };
  const typed = textOf(data?.slug);
  if (typed !== '' && (await faultOf(strapi, uid, typed, null)) === null) return data;
  return { ...data, slug: await proposedAddress(strapi, uid, titleOf(strapi, uid, copied), null) };
}

/** Nobody knows the address yet, and no editor has typed it. */
async function follows(strapi, uid, before, title) {
  const titleBefore = titleOf(strapi, uid, before);
  if (!hasDrafts(strapi.contentTypes[uid]) || title === titleBefore) return false;
  const { documentId } = before;
  const wasPublished = before.previousSlugs || (await versionOf(strapi, uid, documentId, 'published'));
  return !wasPublished && before.slug === (await proposedAddress(strapi, uid, titleBefore, documentId));
}

/** Completes the draft, which publishing copies. */
async function completeDraft(strapi, uid, documentId) {
  const draft = await versionOf(strapi, uid, documentId, 'draft');
  if (!draft || !ADDRESSED.get(uid).isRequired) return;
  if (draft.slug) {
    const owner = await ownerOf(strapi, uid, draft.slug, documentId);
    if (owner) await checkAddress(strapi, uid, draft.slug, documentId);
    return;
  }
  const title = titleOf(strapi, uid, draft);
  const slug = await proposedAddress(strapi, uid, title, documentId);
  if (slug === null && title !== '') refuseTitle(uid, title);
  await strapi.db.query(uid).update({ where: { id: draft.id }, data: { slug } });
}

/** Gives the panel's form the same addresses. */
function proposeAddresses(strapi) {
  const service = strapi.plugin('content-manager').service('uid');
  const own = { ...service };
  const isOwn = ({ contentTypeUID, field }) => field === 'slug' && ADDRESSED.has(contentTypeUID);
  Object.assign(service, {
    async generateUIDField(wanted) {
      if (!isOwn(wanted)) return own.generateUIDField.call(service, wanted);
      const { contentTypeUID: uid, data } = wanted;
      const title = titleOf(strapi, uid, data);
      return (await proposedAddress(strapi, uid, title, data.documentId ?? data.id)) ?? '';
    },
    async findUniqueUID(wanted) {
      if (!isOwn(wanted)) return own.findUniqueUID.call(service, wanted);
      return (await proposedAddress(strapi, wanted.contentTypeUID, wanted.value, null)) ?? EXAMPLE;
    },
    async checkUIDAvailability(wanted) {
      if (!isOwn(wanted)) return own.checkUIDAvailability.call(service, wanted);
      return (await faultOf(strapi, wanted.contentTypeUID, wanted.value, null)) === null;
    },
  });
}

async function checkAddress(strapi, uid, slug, documentId) {
  const fault = await faultOf(strapi, uid, slug, documentId);
  if (fault === null) return;
  const example = (await proposedAddress(strapi, uid, slug, documentId)) ?? EXAMPLE;
  const sentence = `${labelOf(uid, 'slug')} cannot be “${slug}”: ${fault}, such as “${example}”.`;
  refuse({ field: 'slug', sentence });
}

/** @returns the reason why an entry cannot have an address, and what to do; null if it can. */
async function faultOf(strapi, uid, slug, documentId) {
  if (!FORM.test(slug)) return `use ${WANTED}`;
  const fixed = fixedAddressOf(ADDRESSED.get(uid).path, slug);
  if (fixed !== null) return `${fixed} belongs to the site itself. Take another one`;
  const owner = await ownerOf(strapi, uid, slug, documentId);
  return owner && `“${titleOf(strapi, uid, owner)}” has it. Take another one`;
}

function refuseTitle(uid, title) {
  const sentence = `${labelOf(uid, 'slug')} is empty, and none can be made of “${title}”. Type one of ${WANTED}, such as “${EXAMPLE}”.`;
  refuse({ field: 'slug', sentence });
}

/** @returns a free address for a title; null for a title without a letter that can be written in a to z. */
async function proposedAddress(strapi, uid, title, documentId) {
  const wanted = addressFor(title, await languageOf(strapi));
  if (wanted === '') return null;
  const { path } = ADDRESSED.get(uid);
  let slug = wanted;
  for (let number = 2; ; number += 1) {
    if (fixedAddressOf(path, slug) === null && !(await ownerOf(strapi, uid, slug, documentId))) return slug;
    slug = `${wanted}-${number}`;
  }
}

/** @returns the address for a title in a language, such as `zuerich` for `Zürich` in German. */
function addressFor(title, language) {
  const spellings = Object.entries(SPELLINGS[language] ?? {});
  const text = spellings.reduce(
    (spelt, [letter, letters]) => spelt.replaceAll(letter, letters),
    title.normalize('NFC').toLowerCase(),
  );
  const whole = strings.nameToSlug(slugOfName(text, null) ?? '');
  return whole.length > MAX_LENGTH ? whole.slice(0, MAX_LENGTH + 1).replace(/-[^-]*$|.$/, '') : whole;
}

/** @returns the language of the settings, such as `de`. */
async function languageOf(strapi) {
  const uid = uidOf('settings');
  if (!strapi.contentTypes[uid]?.attributes.language) return '';
  const settings = await strapi.db.query(uid).findOne({ select: ['language'] });
  return textOf(settings?.language).toLowerCase().split(/[-_]/)[0];
}

/** @returns another entry with an address, draft or published; null for none. */
async function ownerOf(strapi, uid, slug, documentId) {
  const others = documentId ? { documentId: { $ne: documentId } } : {};
  return strapi.db.query(uid).findOne({ where: { slug: { $eqi: slug }, ...others } });
}

function titleOf(strapi, uid, entry) {
  return textOf(entry[strapi.contentTypes[uid].attributes.slug.targetField ?? 'title']);
}

function textOf(value) {
  return typeof value === 'string' ? value.trim() : '';
}

module.exports = { keepAddresses, openAddresses, proposeAddresses };
