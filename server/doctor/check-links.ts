import type { ContentProblem } from '../wire/decode-context.ts';
import { labelOf, modelOf, servedType } from '../wire/described-types.ts';
import { aboutType, type Finding, named } from './finding.ts';

/** Limit for a kind and type. Further links are counted. */
const MAX_FINDINGS = 5;

/** @returns the findings about links of the content that lead nowhere, or by a redirect. */
export function linkFindings(problems: readonly ContentProblem[]): readonly Finding[] {
  const links = problems.filter(({ kind }) => kind === 'link-dead' || kind === 'link-moved');
  const groups = Map.groupBy(links, ({ kind, type }) => `${kind} ${type}`);
  return [...groups.values()].flatMap(group => {
    const shown = group.slice(0, MAX_FINDINGS).map(problem => findingOf(problem, 0));
    const [next] = group.slice(MAX_FINDINGS);
    return next ? [...shown, findingOf(next, group.length - MAX_FINDINGS)] : shown;
  });
}

/** @param more the number of links that the finding stands for, besides the one that it names. */
function findingOf({ kind, type: path, id, field, reason }: ContentProblem, more: number): Finding {
  const type = servedType(path);
  if (!type) throw new Error(`No content type with the path '${path}'`);
  const model = modelOf(path);
  const entry = id === null ? named(model, type) : `the entry '${id}' of ${named(model, type)}`;
  const others = more > 1 ? `; ${more - 1} further links are like it` : '';
  return aboutType(kind === 'link-dead' ? 'link-dead' : 'link-moved', type, {
    what: `${entry}, ${field}: ${reason}${others}`,
    remedy: `Strapi: Content Manager → ${labelOf(model)}${id === null ? '' : ' → the entry'} → ${field}`,
  });
}
