import { CheckCircle, Mail, WarningCircle } from '@strapi/icons';
import { addFieldLinks, markedLabel } from './fields.mjs';
import { Fold, withFolds } from './folds.mjs';
import { addInbox, OpenMessages } from './inbox.mjs';
import { AllProblems, addProblemsOfEntry } from './problems.mjs';
import { ReadyDrafts } from './ready.mjs';
import { Uses } from './uses.mjs';
import { named, word } from './widget.mjs';
import words from './words.json';

/** What the start page of the panel shows besides Strapi's own parts. */
const WIDGETS = [
  { id: 'site-ready', icon: CheckCircle, title: named('Ready to publish'), Component: ReadyDrafts },
  {
    id: 'site-inbox',
    icon: Mail,
    title: named('Inbox'),
    link: { label: named('All messages'), href: '/content-manager/collection-types/api::message.message' },
    Component: OpenMessages,
  },
  { id: 'site-problems', icon: WarningCircle, title: named('Problems of the site'), Component: AllProblems },
];

/** Keeps what an editor has typed when the CMS refuses to save it (decision 106). */
const keepTyped = () => next => action => {
  const isPatch = action?.type === 'adminApi/queries/queryResultPatched';
  return isPatch && action.payload.queryCacheKey.startsWith('getDocument(') ? undefined : next(action);
};

const COUNTED = /::(?:author|category|redirect|tag)\./;

const shownRows = rows =>
  rows.map(row =>
    row.map(field => ({
      ...field,
      label: word(field.label),
      hint: word(field.hint),
      labelAction: markedLabel(field),
    })),
  );

/** Strapi asks for each field of a form anew. */
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
    layout: withFolds(form.layout, form.settings.displayName).map(shownRows),
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

/** Where an administrator arranges a form, the panel saves what it shows. */
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
    for (const { Component, ...widget } of WIDGETS)
      app.widgets.register({ ...widget, component: async () => Component });
  },
  bootstrap(app) {
    addFieldLinks(app);
    addInbox(app);
    addProblemsOfEntry(app);
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
