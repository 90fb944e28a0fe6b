const ARTICLES = 38;

/** Fills an empty database as the adopter's editors would: every second article has a different draft. */
async function fill(strapi) {
  if ((await strapi.db.query('api::article.article').count()) > 0) return;
  const create = async (type, data, status = 'published') =>
    (await strapi.documents(`api::${type}.${type}`).create({ data, status })).documentId;
  const categories = [];
  for (const name of ['Travel', 'Food'])
    categories.push(
      await create('category', { name, slug: name.toLowerCase(), colour: `#${name.length}f0` }),
    );
  const author = await create('author', { name: 'Ida Holm', email: 'ida@example.com' });
  let before;
  for (let number = 1; number <= ARTICLES; number += 1) {
    const documentId = await create('article', {
      title: `Story ${number}`,
      slug: `story-${number}`,
      description: `Description of story ${number}`,
      body: `The *text* of story ${number}.`,
      date: `2025-03-${String((number % 28) + 1).padStart(2, '0')}T08:30:00.000Z`,
      category: categories[number % 2],
      author,
      seo: { metaTitle: `Story ${number} for search engines`, metaDescription: 'Short' },
      quotes: [
        { text: `First of ${number}`, speaker: 'A' },
        { text: `Second of ${number}`, speaker: 'B' },
      ],
      readingMinutes: number,
      rating: number / 4,
      source: `Archive ${number}`,
      mood: number % 3 ? 'calm' : 'loud',
      extra: { number, nested: { list: [1, 2, 3] } },
      related: before ? [before] : [],
    });
    before = documentId;
    if (number % 2 === 0)
      await strapi.documents('api::article.article').update({
        documentId,
        data: { source: `A draft of ${number}` },
        status: 'draft',
      });
  }
  await create('event', { title: 'Without a date' }, 'draft');
  await create('landing', {
    title: 'The front page of the adopter',
    strapline: 'Kept',
    hero: { heading: 'Welcome', lines: [{ text: 'One' }, { text: 'Two' }] },
  });
  await create('main-page', { title: 'All stories', intro: 'Kept, too' });
  const role = await strapi.db.query('plugin::users-permissions.role').findOne({ where: { type: 'public' } });
  for (const type of ['article', 'category', 'author', 'landing', 'main-page'])
    await strapi.db
      .query('plugin::users-permissions.permission')
      .create({ data: { action: `api::${type}.${type}.find`, role: role.id } });
}

module.exports = { fill };
