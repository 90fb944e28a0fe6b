const { labelOf, placeIn, refuse } = require('../refuse.js');
const {
  checkLines,
  checkMarkdown,
  checkSource,
  consentSentence,
  descriptions,
  DEFAULT_PROVIDERS,
  embedAt,
  entityDecoder,
  isHtml,
  atEntry,
  NO_CATEGORY,
  positions,
  providersIn,
  sectionElements,
} = require('../site-rules.js');
const { settings } = require('../settings.js');
const types = require('../types.json');
const { hasDrafts } = require('./version-of.js');

const NAMES = new Map(types.map(({ uid, name }) => [uid, name]));
/** Types whose entries have different names. */
const NAMED = ['tag', 'category'];
const SHOWN = [['p', null, ['…']]];

/**
 * Refuses what the site would leave out, with its own reason. The entry is decoded as it was saved, inside
 * the transaction. Drafts may have faults, and an import at the start is saved as it is.
 */
function checkSaved(strapi) {
  strapi.documents.use(async (context, next) => {
    if (!strapi.isLoaded || !NAMES.has(context.uid) || !isShown(context)) return next();
    return strapi.db.transaction(async () => {
      const result = await next();
      const documentId = result?.documentId ?? context.params.documentId;
      const entry = documentId && (await savedEntry(strapi, context.uid, documentId, context.params.locale));
      const problems = entry ? await problemsOf(strapi, context.uid, entry) : [];
      if (problems.length > 0) refuse(...problems);
      return result;
    });
  });
}

/** Whether an action changes what visitors see. */
function isShown({ action, contentType, params }) {
  if (action === 'publish') return true;
  if (!['create', 'update', 'clone'].includes(action)) return false;
  return hasDrafts(contentType) ? params.status === 'published' : true;
}

async function savedEntry(strapi, uid, documentId, locale) {
  const model = strapi.contentTypes[uid];
  return strapi.documents(uid).findOne({
    documentId,
    ...(hasDrafts(model) ? { status: 'published' } : {}),
    ...(typeof locale === 'string' ? { locale } : {}),
    populate: { ...partsOf(strapi, model), ...(model.attributes.category ? { category: true } : {}) },
  });
}

function partsOf(strapi, { attributes }) {
  const inside = uid => ({ populate: partsOf(strapi, strapi.components[uid]) });
  const parts = Object.entries(attributes).flatMap(([field, { type, component, components }]) => {
    if (type === 'media') return [[field, true]];
    if (type === 'component') return [[field, inside(component)]];
    if (type !== 'dynamiczone') return [];
    return [[field, { on: Object.fromEntries(components.map(uid => [uid, inside(uid)])) }]];
  });
  return Object.fromEntries(parts);
}

async function problemsOf(strapi, uid, entry) {
  const name = NAMES.get(uid);
  const { attributes } = strapi.contentTypes[uid];
  const lost = lossesIn(name, attributes, entry);
  const problems = lost.map(({ field, reason }) => ({
    field: field?.split(/[.[]/)[0] ?? 'title',
    sentence: `${field ? `${placeIn(strapi, uid, field)}: ` : ''}${reason}.`,
  }));
  if (name === 'article' && attributes.category && !entry.category)
    problems.push({ field: 'category', sentence: NO_CATEGORY });
  const namesake = NAMED.includes(name) ? await namesakeOf(strapi, uid, entry) : null;
  if (namesake)
    problems.push({
      field: 'name',
      sentence: `${labelOf(uid, 'name')}: there is “${namesake}” already, and visitors cannot tell “${entry.name}” from it. Use that one, or take another name.`,
    });
  return problems;
}

/** @returns what the site's decoders would leave out. */
function lossesIn(name, attributes, entry) {
  const losses = [];
  const context = contextOf(losses);
  const { fields } = descriptions[name];
  const read = Object.entries(fields).filter(
    ([field, { kind }]) => field in attributes && kind !== 'relation',
  );
  const own = read.map(([field, { followedBy, ...description }]) => [field, description]);
  const decoded = entityDecoder({ ...descriptions[name], fields: Object.fromEntries(own) })(entry, context);
  if (!decoded.ok && !losses.some(({ field }) => field === decoded.error.field)) losses.push(decoded.error);
  if (name === 'landing' && attributes.positionsAndCustomBlocks)
    positions(entry.positionsAndCustomBlocks, inside(context, 'positionsAndCustomBlocks'));
  if (name === 'settings' && entry.subscribeConsent)
    consentSentence([withoutMarkup(entry.subscribeConsent)], inside(context, 'subscribeConsent'));
  for (const [field, { kind }] of read)
    if (kind === 'zone' && Array.isArray(entry[field]))
      for (const [index, section] of entry[field].entries())
        checkSection(section, inside(context, `${field}[${index}]`), losses);
  return losses;
}

/** The services of decoders. The CMS does not know which files and addresses the site may show. */
function contextOf(losses) {
  return atEntry({
    at: { type: '', id: null, field: null, updatedAt: null },
    // Check rows of the home page at any date.
    isShown: () => true,
    mediaAddress: value => (typeof value === 'string' ? value : null),
    withVersion: address => address,
    unsized() {},
    richText: readText,
    // The list of a section is read twice.
    report({ field, reason }) {
      const isNoted = losses.some(loss => loss.field === field && loss.reason === reason);
      if (!isNoted) losses.push({ field, reason });
    },
  });
}

function inside(context, field) {
  return { ...context, at: { ...context.at, field } };
}

/** Checks the bounds of all texts. Only the site compiles them. */
function readText(source, lose) {
  if (source === null || source === undefined || source === '') return [];
  if (typeof source === 'string')
    try {
      checkSource(source);
      if (!isHtml(source)) {
        checkLines(source);
        checkMarkdown(source);
      }
    } catch (error) {
      lose('shown-as-text', `${error.message}: the text is shown without its formatting`);
    }
  return SHOWN;
}

/** @returns a short text without addresses and signs. */
function withoutMarkup(source) {
  return source.replace(/\]\([^()]*\)|<[^<>]*>|[[\]*_`]/g, '');
}

/** Notes a section without content, the faults of its texts, and a film that the site does not play. */
function checkSection(section, context, losses) {
  const { field } = context.at;
  const given = value => (typeof value === 'string' && value.trim() === '' ? null : (value ?? null));
  const tools = { richText: source => (given(source) === null ? [] : [{}]), words: given };
  const shown = sectionElements(section, tools, context);
  const name = NAMES.get(section.__component);
  if (shown === null || !name) return;
  entityDecoder(descriptions[name])({ id: 0, ...section }, context);
  if (name === 'embed-section' && given(section.href) !== null && !embedAt(section.href, providers())) {
    const played = new Intl.ListFormat('en').format(providers().map(provider => provider.name));
    losses.push({
      field,
      reason: `'${section.href}' is shown as a link, because the site plays films of ${played || 'no other site'} alone`,
    });
  }
}

function providers() {
  return providersIn(settings().embedProviders ?? DEFAULT_PROVIDERS.join(',')) ?? [];
}

/** @returns the name of an entry that differs in capital letters and spaces alone; null for none. */
async function namesakeOf(strapi, uid, { documentId, name }) {
  const plain = text => String(text).normalize('NFC').toLowerCase().trim().replace(/\s+/g, ' ');
  const others = await strapi.db.query(uid).findMany({
    where: { documentId: { $ne: documentId } },
    select: ['name'],
  });
  return others.find(other => plain(other.name) === plain(name))?.name ?? null;
}

module.exports = { checkSaved };
