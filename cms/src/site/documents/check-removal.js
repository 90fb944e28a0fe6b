const { listOf, refuse } = require('../refuse.js');
const { uidOf } = require('../types.js');
const { versionOf } = require('./version-of.js');

const CATEGORY = uidOf('category');
const ARTICLE = uidOf('article');

/** Refuses to remove a category with articles, whose addresses begin with it. */
function keepCategoriesInUse(strapi) {
  strapi.documents.use(async (context, next) => {
    const { action, params, uid } = context;
    if (uid === CATEGORY && (action === 'delete' || action === 'unpublish'))
      await checkCategory(strapi, params.documentId);
    return next();
  });
}

async function checkCategory(strapi, documentId) {
  if (!strapi.contentTypes[ARTICLE]?.attributes.category) return;
  const rows = await strapi.db.query(ARTICLE).findMany({
    where: { category: { documentId } },
    select: ['documentId', 'title', 'publishedAt'],
    orderBy: 'title',
  });
  const articles = [...new Map(rows.map(row => [row.documentId, row])).values()];
  if (articles.length === 0) return;
  const isOne = articles.length === 1;
  const [count, them, their] = isOne
    ? ['1 article is', 'it', 'Its address begins']
    : [`${articles.length} articles are`, 'them', 'Their addresses begin'];
  const names = listOf(articles.map(({ title }) => `“${title ?? 'Without a title'}”`));
  const moved = await movedAlone(strapi, rows);
  const unpublished =
    moved.length > 0 ? ` Moved, but not published since: ${listOf(moved.map(title => `“${title}”`))}.` : '';
  refuse({
    field: 'name',
    sentence: `${count} in this category: move ${them} first. ${their} with that of the category. ${names}.${unpublished}`,
  });
}

/** @returns the titles of articles that editors have moved away and visitors still see in the category. */
async function movedAlone(strapi, rows) {
  const inDraft = new Set(rows.filter(({ publishedAt }) => !publishedAt).map(({ documentId }) => documentId));
  const moved = [];
  for (const { documentId, title, publishedAt } of rows)
    if (publishedAt && !inDraft.has(documentId) && (await versionOf(strapi, ARTICLE, documentId, 'draft')))
      moved.push(title);
  return moved;
}

module.exports = { keepCategoriesInUse };
