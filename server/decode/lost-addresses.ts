import { malformed } from '../wire/content-calls.ts';
import type { ContentProblem, DecodeContext } from '../wire/decode-context.ts';
import type { ServedType } from '../wire/described-types.ts';

/**
 * Strapi leaves out the categories of articles without their permission, and answers 200: no article has an
 * address then.
 * @throws BackendError `malformed` when no row has a category. The last content stays, so no row is reported
 * as left out.
 */
export async function decodeAddressable<T>(
  type: ServedType,
  context: DecodeContext,
  decode: (context: DecodeContext) => Promise<T>,
): Promise<T> {
  let isLost = false;
  const report = (problem: ContentProblem) => {
    if (losesAddresses(type, problem)) isLost = true;
    else if (isLost && problem.kind === 'row-left-out' && problem.field === 'category') return;
    context.report(problem);
  };
  const decoded = await decode({ ...context, report });
  if (isLost)
    throw malformed(
      type,
      "no row has a 'category', so none has an address: is find of 'categories' allowed in the backend?",
    );
  return decoded;
}

/** @returns whether a problem is the absence of the categories in all rows. */
function losesAddresses({ path }: ServedType, { kind, type, field }: ContentProblem): boolean {
  return kind === 'relation-absent' && type === path && field === 'category';
}
