import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';
import { sourcesOf } from './import-graph.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');

/**
 * Expressions that have passed `recheck`, which needs more than a minute for all. `check-expressions.ts`
 * writes this file.
 */
export const CHECKED_FILE = path.join(import.meta.dirname, 'checked-expressions.json');

/** The regular expressions of the site's own code. */
export interface FoundExpressions {
  /** Literals such as `/a+$/i`, with their files. */
  literals: ReadonlyMap<string, readonly string[]>;
  /** Calls of `RegExp` with their places. Their expressions are unknown here. */
  computed: readonly string[];
}

/** Finds all regular expressions in the code of server and browsers. */
export function findExpressions(): FoundExpressions {
  const literals = new Map<string, string[]>();
  const computed: string[] = [];
  for (const file of sourcesOf(['server', 'shared', 'client', 'build'])) {
    const code = readFileSync(path.join(projectRoot, file), 'utf8');
    const { program, errors } = parseSync(file, code);
    if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
    const addComputed = ({ callee }: { callee: { type: string } }) => {
      if ('name' in callee && callee.name === 'RegExp') computed.push(file);
    };
    new Visitor({
      Literal(node) {
        if (!('regex' in node)) return;
        const expression = `/${node.regex.pattern}/${node.regex.flags}`;
        literals.set(expression, [...(literals.get(expression) ?? []), file]);
      },
      NewExpression: addComputed,
      CallExpression: addComputed,
    }).visit(program);
  }
  return { literals, computed };
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
