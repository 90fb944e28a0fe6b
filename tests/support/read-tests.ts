import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';
import { sourcesOf } from './import-graph.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
/** `it`, `test`, `describe`, and names such as `itOffline` for tests with special fixtures. */
const TEST = /^(?:it(?:[A-Z]\w*)?|test|\w+Test)$/;
const SUITE = /^describe$/;
const SKIPPING = new Set(['skip', 'only', 'todo', 'skipIf', 'runIf', 'fails']);

/** A call of `it` or `describe` with a title. */
export interface TestCall {
  readonly file: string;
  readonly line: number;
  /** Lines from the call's first to its last, including the table of `it.each`. */
  readonly lines: number;
  readonly kind: 'test' | 'suite';
  /** The title as written, or null for a computed title. */
  readonly title: string | null;
}

/** A call that skips tests. */
export interface Skip {
  readonly file: string;
  readonly line: number;
  /**
   * Whether it is `skip('…')` or `skip(condition, '…')` of the test's context, whose reason the reporter
   * prints.
   */
  readonly hasReason: boolean;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}
type Callee = Node & {
  name?: string;
  object?: Callee;
  callee?: Callee;
  tag?: Callee;
  property?: Node & { name?: string };
};

/** @returns all tests and suites of a file, and all calls that skip tests. */
export function readTests(file: string, text = readFileSync(path.join(projectRoot, file), 'utf8')) {
  const { program, errors } = parseSync(file, text);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  const tests: TestCall[] = [];
  const skips: Skip[] = [];
  new Visitor({
    CallExpression(node) {
      const { root, members } = chainOf(node.callee as Callee);
      const isTest = TEST.test(root);
      const isSuite = SUITE.test(root);
      // `it.skipIf(…)('…')` is two calls. Only the inner one counts.
      const isInner = node.callee.type === 'MemberExpression';
      if (isInner && (isTest || isSuite) && members.some(member => SKIPPING.has(member))) {
        skips.push({ file, line: lineOf(node.start), hasReason: false });
      }
      if (root === 'skip' && members.length === 0) {
        const reason = node.arguments.at(-1);
        skips.push({
          file,
          line: lineOf(node.start),
          hasReason: reason?.type === 'Literal' && typeof reason.value === 'string' && reason.value !== '',
        });
      }
      const [title, ...rest] = node.arguments;
      const hasBody = rest.some(argument => /^(?:Arrow)?Function/.test(argument.type));
      if (!(isTest || isSuite) || !title || !hasBody || members.includes('extend')) return;
      const first = lineOf(node.start);
      tests.push({
        file,
        line: first,
        lines: lineOf(node.end) - first + 1,
        kind: isSuite ? 'suite' : 'test',
        title:
          title.type === 'Literal' && typeof title.value === 'string'
            ? title.value
            : title.type === 'TemplateLiteral'
              ? text.slice(title.start + 1, title.end - 1)
              : null,
      });
    },
  }).visit(program);
  return { lines: text.trimEnd().split('\n').length, tests, skips };
}

/**
 * Splits a chain of calls and members into its first name and its members: `it.each(…)` is `it` and
 * `['each']`.
 */
function chainOf(callee: Callee): { root: string; members: string[] } {
  const members: string[] = [];
  let node: Callee | undefined = callee;
  while (node && node.type !== 'Identifier') {
    if (node.type === 'MemberExpression' && node.property?.name) members.unshift(node.property.name);
    node = node.object ?? node.callee ?? node.tag;
  }
  return { root: node?.name ?? '', members };
}

/** @returns all sources below `tests/`, as paths in the project. */
export const testSources = (): string[] => sourcesOf(['tests']);
