import { createElement } from 'react';
import { addressOf, LINK, LIST, TEXT, useAnswer, word } from './widget.mjs';

/** Limit for the kinds on the start page, and for the entries of a kind. */
const MOST = 8;
const MUTED = { ...TEXT, color: 'var(--strapi-neutral-600, #666687)' };

/** Codes of the doctor have one name. */
function nameOf(code) {
  const names = {
    'content-row-left-out': word('Entry is not shown'),
    'content-row-kept': word('Entry is shown as it was before'),
    'content-address-clash': word('Two entries with one address'),
    'content-address-reserved': word('Address belongs to the site'),
    'content-value-left-out': word('Value is not shown'),
    'content-shown-as-text': word('Shown as plain text'),
    'content-element-left-out': word('Elements are not shown'),
    'content-address-refused': word('Address is not allowed'),
    'content-broken-json': word('JSON cannot be read'),
    'content-redirect-left-out': word('Redirect does nothing'),
    'content-link-dead': word('Link that leads nowhere'),
    'content-link-moved': word('Link by a redirect, which works'),
  };
  return names[code] ?? word('To set up');
}

/** Messages of visitors are no content of the site. */
const isOfSite = model => model.startsWith('api::') && model !== 'api::message.message';

/** Adds problems and linking pages to the side of each entry. */
export function addProblemsOfEntry(app) {
  app.getPlugin('content-manager').apis.addEditViewSidePanel([
    function OnTheSite({ model, documentId, document }) {
      const id = documentId ?? document?.documentId;
      if (!isOfSite(model) || !id) return null;
      // Ask again after each save and publish.
      const key = `${document?.updatedAt} ${document?.status}`;
      return {
        title: word('On the site'),
        content: createElement(ProblemsOfEntry, { key, model, id }),
      };
    },
  ]);
}

const list = items => createElement('ul', { style: LIST }, ...items);
const item = (...children) => createElement('li', null, ...children);

export function AllProblems() {
  const found = useAnswer('problems');
  if (found === null) return null;
  if (found.missing) return createElement(Missing, found);
  const kinds = Map.groupBy(found.problems, ({ code }) => nameOf(code));
  return createElement(
    'div',
    { style: { ...TEXT, maxHeight: '320px', overflow: 'auto' } },
    createElement('p', null, createElement('strong', { style: { fontSize: '3.2rem' } }, found.count)),
    ...[...kinds]
      .slice(0, MOST)
      .map(([name, problems]) =>
        createElement(
          'details',
          { key: name },
          createElement('summary', { style: { cursor: 'pointer' } }, `${name}: ${problems.length}`),
          list(problems.slice(0, MOST).map(problem => item(createElement(Problem, { problem })))),
        ),
      ),
    createElement(Heard, found),
  );
}

function Missing({ missing }) {
  const text =
    missing === 'token' ? word('Set PROBLEMS_TOKEN in CMS and site') : word('The site does not answer');
  return createElement('p', { style: TEXT }, text);
}

function Heard({ lastEventAt }) {
  const time = lastEventAt && new Date(lastEventAt).toLocaleString(document.documentElement.lang);
  const text = time
    ? `${word('The site last heard of a change:')} ${time}`
    : word('No change has reached the site yet');
  return createElement('p', { style: MUTED }, text);
}

function Problem({ problem: { title, field, what, remedy, ...entry } }) {
  const text = [title && `${title}, `, field && `${field}: `, what, remedy && ` (${remedy})`]
    .filter(Boolean)
    .join('');
  const href = addressOf(entry);
  return href === null ? text : createElement('a', { href, style: LINK }, text);
}

function ProblemsOfEntry({ model, id }) {
  const found = useAnswer(`problems?model=${model.split('.').at(-1)}&id=${id}`);
  if (found === null || found.missing === 'token') return null;
  if (found.missing) return createElement(Missing, found);
  const { problems, linkedFrom } = found;
  const title = text => createElement('strong', { style: TEXT }, text);
  return createElement(
    'div',
    null,
    problems.length === 0 && createElement('p', { style: TEXT }, word('Nothing is left out')),
    ...problems.flatMap(problem => [
      title(nameOf(problem.code)),
      list([item(`${problem.field}: ${problem.what}`)]),
    ]),
    linkedFrom.length > 0 && title(`${word('Pages that link here:')} ${linkedFrom.length}`),
    linkedFrom.length > 0 &&
      list(
        linkedFrom
          .slice(0, MOST)
          .map(from => item(createElement('a', { href: addressOf(from), style: LINK }, from.title))),
      ),
    createElement(Heard, found),
  );
}
