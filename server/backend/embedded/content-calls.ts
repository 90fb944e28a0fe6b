import type { Request, RequestHandler } from 'express';
import { bearsSecret } from '../../http/bearer-token.ts';
import { type AnswerShape, shapeRow } from './answer-shapes.ts';
import type { ContentFolder } from './content-folder.ts';
import { type ContentSource, contentType } from './content-types.ts';
import { queryRows } from './list-query.ts';
import { parseSelection } from './populate.ts';
import { StrapiError } from './strapi-error.ts';

/**
 * @param previewToken the token that may read drafts; null: none may.
 * @returns the handler of one collection or single type under `/api`.
 */
export function answerContent(
  source: ContentSource,
  folder: ContentFolder,
  previewToken: string | null,
): RequestHandler {
  const type = contentType(source.type);
  /** @throws StrapiError (403) for drafts without the token. */
  function readsDrafts(request: Request): boolean {
    if (request.query.status !== 'draft') return false;
    if (previewToken !== null && bearsSecret(request.get('Authorization'), previewToken)) return true;
    throw StrapiError.ofStatus(403);
  }
  return async (request, response) => {
    const query: Record<string, unknown> = { ...request.query };
    const shape = shapeOf(request);
    const selection = parseSelection(type, query);
    const rows =
      (await (readsDrafts(request) ? folder.withDrafts() : folder.current())).get(source.route) ?? [];
    if (source.kind === 'single') {
      const [row] = rows;
      if (!row) throw StrapiError.ofStatus(404);
      response.json({ data: shapeRow(row, selection, shape), meta: {} });
      return;
    }
    const { rows: found, pagination } = queryRows(type, rows, query);
    response.json({ data: found.map(row => shapeRow(row, selection, shape)), meta: { pagination } });
  };
}

function shapeOf(request: Request): AnswerShape {
  return request.get('Strapi-Response-Format')?.toLowerCase() === 'v4' ? 'v4' : 'flat';
}
