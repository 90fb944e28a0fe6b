import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';
import { COMPUTED_EXPRESSIONS } from './computed-expressions.ts';
import { sourcesOf } from './import-graph.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');

/**
 * Expressions that have passed `recheck`, which needs more than a minute for all. `check-expressions.ts`
 * writes this file.
 */
export const CHECKED_FILE = path.join(import.meta.dirname, 'checked-expressions.json');

/** The regular expressions of the site's own code. */
export interface FoundExpressions {
  /** Literals such as `/a+$/i`, and listed computed ones, with their files. */
  expressions: ReadonlyMap<string, readonly string[]>;
  /** The files that compute expressions, once for each. `computed-expressions.ts` lists them. */
  computedIn: readonly string[];
}

/** Finds all regular expressions in the code of server and browsers. */
export function findExpressions(): FoundExpressions {
  const expressions = new Map<string, string[]>();
  const computedIn: string[] = [];
  for (const file of sourcesOf(['server', 'shared', 'client', 'build'])) {
    const code = readFileSync(path.join(projectRoot, file), 'utf8');
    const { program, errors } = parseSync(file, code);
    if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
    const add = (expression: string) =>
      expressions.set(expression, [...(expressions.get(expression) ?? []), file]);
    const addComputed = ({ callee }: { callee: { type: string } }) => {
      if (!('name' in callee && callee.name === 'RegExp')) return;
      computedIn.push(file);
      if (COMPUTED_EXPRESSIONS[file]) add(String(COMPUTED_EXPRESSIONS[file]));
    };
    new Visitor({
      Literal(node) {
        if ('regex' in node) add(`/${node.regex.pattern}/${node.regex.flags}`);
      },
      NewExpression: addComputed,
      CallExpression: addComputed,
    }).visit(program);
  }
  return { expressions, computedIn };
}

/** @returns the expressions that have passed. */
export function checkedExpressions(): ReadonlySet<string> {
  return new Set<string>(JSON.parse(readFileSync(CHECKED_FILE, 'utf8')));
}

/**
 * @param expression such as `/a+$/i` @returns `safe` if its time is at most in proportion to its input, else
 *   recheck's verdict.
 */
export async function verdictOf(expression: string): Promise<string> {
  // Without this setting recheck would start a native program, if npm has installed one.
  process.env.RECHECK_SYNC_BACKEND = 'pure';
  const { checkSync } = await import('recheck');
  const end = expression.lastIndexOf('/');
  const result = checkSync(expression.slice(1, end), expression.slice(end + 1), { timeout: 120_000 });
  return result.status === 'unknown' ? `unknown: ${result.error.kind}` : result.status;
}
