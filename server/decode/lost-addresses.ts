import { malformed } from '../wire/content-calls.ts';
import type { ContentProblem, DecodeContext } from '../wire/decode-context.ts';
import type { ServedType } from '../wire/described-types.ts';

/**
 * Decodes rows that need an address. Without permission Strapi omits the categories of articles and answers
 * 200, so no article has an address.
 * @throws BackendError `malformed` if no row has a category. The last content stays, and no row is reported.
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

/** @returns whether the problem is that all rows lack their category. */
function losesAddresses({ path }: ServedType, { kind, type, field }: ContentProblem): boolean {
  return kind === 'relation-absent' && type === path && field === 'category';
}
