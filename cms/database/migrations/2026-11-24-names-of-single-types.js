/** The tables, and the names that Strapi itself gives them. */
const NAMES = { landing_list: 'landings', main_page_list: 'main_pages', settings_list: 'settings' };
const STORED_SCHEMA = 'strapi_database_schema';

function newNameOf(table) {
  const old = Object.keys(NAMES).find(name => table === name || table.startsWith(`${name}_`));
  return old ? NAMES[old] + table.slice(old.length) : table;
}

/**
 * Renames the tables before Strapi compares them with the types: it would drop them. Strapi's own record gets
 * the new names, so that it replaces indexes and keys named after tables.
 */
async function up(knex) {
  if (!(await knex.schema.hasTable(STORED_SCHEMA))) return;
  const stored = await knex(STORED_SCHEMA).orderBy('time', 'desc').first();
  if (!stored) return;
  const schema = typeof stored.schema === 'string' ? JSON.parse(stored.schema) : stored.schema;
  for (const table of schema.tables) {
    const from = table.name;
    table.name = newNameOf(from);
    if (table.name === from || !(await knex.schema.hasTable(from))) continue;
    if (await knex.schema.hasTable(table.name))
      throw new Error(
        `The database has the tables ${from} and ${table.name}. Rename or remove the one whose content is not that of the site, and start again: nothing was changed.`,
      );
    await knex.schema.renameTable(from, table.name);
  }
  await knex(STORED_SCHEMA)
    .where({ id: stored.id })
    .update({ schema: JSON.stringify(schema) });
}

/** Strapi wants the function and never calls it. */
async function down() {}

module.exports = { up, down };
