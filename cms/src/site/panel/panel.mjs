import { CheckCircle, Mail, WarningCircle } from '@strapi/icons';
import { addFieldLinks, markedLabel } from './fields.mjs';
import { Fold, withFolds } from './folds.mjs';
import { addInbox, addOpenMessages } from './inbox.mjs';
import { addProblems, addProblemsOfEntry } from './problems.mjs';
import { addReadyDrafts } from './ready.mjs';
import { Uses } from './uses.mjs';
import words from './words.json';

/**
 * Keeps what an editor has typed when the CMS refuses to save it. Strapi's panel puts typed values into its
 * copy of the entry before the answer comes, takes them out again after a refusal, and fills the form anew
 * from that copy. Without both steps the form stays as it is.
 */
const keepTyped = () => next => action => {
  const isPatch = action?.type === 'adminApi/queries/queryResultPatched';
  return isPatch && action.payload.queryCacheKey.startsWith('getDocument(') ? undefined : next(action);
};

/** Types with a column that says how often an entry is used. */
const COUNTED = /::(?:author|category|redirect|tag)\./;

/** Whether the site reads a type. Messages of visitors are none of its content. */
const isOfSite = model => model.startsWith('api::') && model !== 'api::message.message';

/** @returns a word in the language that the person has chosen in the panel. Words of an administrator stay. */
function word(text) {
  return words[document.documentElement.lang.split('-', 1)[0]]?.[text] ?? text;
}

/** Fields with their words in the language of the panel, each with a mark by which it is found. */
const shownRows = rows =>
  rows.map(row =>
    row.map(field => ({
      ...field,
      label: word(field.label),
      hint: word(field.hint),
      labelAction: markedLabel(field, word),
    })),
  );

/** The forms that were shown, because Strapi asks for each field of a form anew. */
const shownForms = new WeakMap();

function shownForm(form) {
  const known = shownForms.get(form);
  const language = document.documentElement.lang;
  if (known?.language === language) return known.shown;
  const components = Object.entries(form.components).map(([uid, component]) => [
    uid,
    { ...component, layout: shownRows(component.layout) },
  ]);
  const shown = {
    ...form,
    layout: withFolds(form.layout, form.settings.displayName, word).map(shownRows),
    components: Object.fromEntries(components),
  };
  shownForms.set(form, { language, shown });
  return shown;
}

/** @returns the head of a column. Dates that Strapi keeps have no label in the descriptions. */
function headOf({ name, label }) {
  const dates = { createdAt: word('Received'), updatedAt: word('Last change') };
  return label === name ? (dates[name] ?? label) : word(label);
}

/** The pages on which an administrator arranges a form save what they show. */
const isArranging = () => location.pathname.includes('/configurations/');

const column = (name, label, cellFormatter) => ({
  name,
  label,
  attribute: { type: 'custom' },
  searchable: false,
  sortable: false,
  cellFormatter,
});

export default {
  config: { locales: Object.keys(words), translations: words },
  register(app) {
    app.addMiddlewares([() => keepTyped]);
    app.addFields({ type: 'site-fold', Component: Fold });
    addReadyDrafts(app, word, CheckCircle);
    addOpenMessages(app, word, Mail);
    addProblems(app, word, WarningCircle);
  },
  bootstrap(app) {
    addFieldLinks(app);
    addInbox(app, word);
    addProblemsOfEntry(app, word, isOfSite);
    app.registerHook('Admin/CM/pages/EditView/mutate-edit-view-layout', ({ layout, query }) => ({
      query,
      layout: isArranging() ? layout : shownForm(layout),
    }));
    app.registerHook('Admin/CM/pages/ListView/inject-column-in-table', ({ displayedHeaders, layout }) => {
      const headers = displayedHeaders.map(header => ({ ...header, label: headOf(header) }));
      const ofSite = location.pathname.includes('/api::redirect.');
      const head = ofSite ? word('Uses since the site started') : word('Uses');
      const uses = COUNTED.test(location.pathname) ? [column('site-uses', head, Uses)] : [];
      return { layout, displayedHeaders: [...headers, ...uses] };
    });
  },
};
