import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';
import { expect, it } from 'vitest';
import { contentTypes } from '../../shared/content/content-types.ts';
import { routeTable } from '../../shared/routing/routes.ts';
import { sourcesOf } from '../support/import-graph.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const ENGINE = sourcesOf(['server', 'client', 'shared', 'build']);

/** The ids and paths of this site's routes, and the names and paths of its content types. */
const NAMES: ReadonlySet<unknown> = new Set([
  ...routeTable.flatMap(({ id, path: pattern }) => [id, pattern]),
  ...Object.entries(contentTypes).flatMap(([name, { path: address }]) => [name, address]),
]);

/**
 * A single word may also be a role, a field, an event or an element of HTML, such as `article`. It counts
 * only in place of a route or a content type. A name of several words, such as `blog-article`, counts
 * everywhere.
 */
const IS_WORD = /^(?:[a-z]+|\/)$/;

/** Functions whose first argument is the name of a route or a content type. */
const TAKES_NAME =
  /^(?:any|anyProvenance|cards|entries|entry|entryTitle|fixedAddressOf|isFresh|labelOf|lists|part|partTag|pathTo|peek|published|routeById|routesOfType|selected|selection|servedType|slug|slugs|versionOf|whole)$/;
/** Variables that hold the name of a route or a content type. */
const IS_NAME = /^(?:route|id|model|path|type)$/;

const EXCEPTIONS: Readonly<Record<string, string>> = {
  'server/forms/subscribe-links.ts: subscribe-confirm': 'the purpose of a signature, in links that were sent',
  'server/forms/subscribe-links.ts: subscribe-leave': 'the same',
  'server/outbox/site-outbox.ts: subscribe-confirm': 'the name of a form, in messages on disk and in the CMS',
  'server/outbox/site-outbox.ts: subscribe-leave': 'the same',
};

const nameOf = (node: object): string =>
  'property' in node ? nameOf(node.property as object) : 'name' in node ? String(node.name) : '';

/** @returns the names of this site's routes and content types that a file contains as literals. */
function namesIn(file: string): string[] {
  const { program } = parseSync(file, readFileSync(path.join(projectRoot, file), 'utf8'));
  const found = new Set<unknown>();
  const add = (node: object | undefined, isPlace: boolean) => {
    const text = node && 'value' in node ? node.value : undefined;
    // A name may begin a key, such as `articles?newest`.
    const name = typeof text === 'string' ? text.replace(/[?@].*/s, '') : '';
    if (name !== '' && NAMES.has(name) && (isPlace || !IS_WORD.test(name))) found.add(name);
  };
  new Visitor({
    Literal: node => add(node, false),
    TemplateLiteral: ({ quasis: [first] }) => add({ value: first?.value.cooked }, false),
    CallExpression: ({ callee, arguments: [first] }) => {
      const list = first?.type === 'ArrayExpression' ? first.elements : [first];
      if (TAKES_NAME.test(nameOf(callee))) for (const one of list) add(one ?? undefined, true);
    },
    BinaryExpression: ({ left, right }) => {
      if (IS_NAME.test(nameOf(left))) add(right, true);
    },
    MemberExpression: ({ object, property }) => {
      if (nameOf(object) === 'contentTypes') found.add(nameOf(property) || 'contentTypes[…]');
    },
  }).visit(program);
  return [...found].map(name => `${file}: ${name}`);
}

it('server/, client/, shared/ and build/ contain no names of this site’s routes and content types', () => {
  // The lists must be equal, so that an exception without a use fails, too.
  expect(ENGINE.flatMap(namesIn).sort()).toEqual(Object.keys(EXCEPTIONS).sort());
});
