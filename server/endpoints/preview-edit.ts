import express, { type RequestHandler } from 'express';
import * as z from 'zod';
import type { EditFile } from '../embedded-cms/folder/edit-folder.ts';
import { boundedBody } from '../http/limits/bounded-body.ts';
import { isOnThisMachine } from '../http/request/request-origin.ts';
import type { Preview } from '../page/preview/preview.ts';

const MAX_BYTES = 1024 * 1024;

const editSchema = z.object({
  type: z.string(),
  id: z.string(),
  name: z.string(),
  value: z.string().optional(),
  updatedAt: z.string().optional(),
});

/** Lets previews on this machine edit the content folder (decision 223). */
export function previewEdit(cookie: Preview['cookie'], edit: EditFile): RequestHandler[] {
  const own: RequestHandler = (req, res, next) => {
    res.set('Cache-Control', 'no-store');
    const { origin = '', host } = req.headers;
    const isOwnPage = URL.parse(origin)?.host === host && isOnThisMachine(req);
    if (isOwnPage && cookie.read(req.headers.cookie)?.status === 'draft') next();
    else res.status(403).json({ refused: 'Only a preview on the machine of the site may edit its files' });
  };
  const body = boundedBody(MAX_BYTES, express.json({ limit: MAX_BYTES, inflate: false }));
  const answer: RequestHandler = async (req, res) => {
    const asked = editSchema.safeParse(req.body);
    if (!asked.success) return void res.status(400).json({ refused: 'The request names no field' });
    const state = await edit(asked.data);
    res.status(state.isChanged ? 409 : state.refused === undefined ? 200 : 422).json(state);
  };
  return [own, body, answer];
}
