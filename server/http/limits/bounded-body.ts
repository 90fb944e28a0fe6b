import type { Request, RequestHandler, Response } from 'express';
import { saidError } from '../../errors.ts';

const LINGER_BYTES = 1024 * 1024;
const LINGER_MS = 2_000;

/**
 * Answers a body above the limit with 413 and ends the connection.
 * @param parse a parser of Express with `inflate: false`, because `limit` counts bytes before decompression.
 */
export function boundedBody(limit: number, parse: RequestHandler): RequestHandler {
  return (req, res, next) => {
    let bytes = 0;
    let isDone = false;
    // Count bytes here, because the parser reports a large body only after reading all of it.
    const done = (error?: unknown) => {
      if (isDone) return;
      isDone = true;
      req.off('data', count);
      if (error !== undefined && !req.complete) closeAfterAnswer(req, res);
      next(error);
    };
    const count = (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes > limit) done(saidError('tooLarge', 413));
    };
    if (Number(req.get('content-length')) > limit) return done(saidError('tooLarge', 413));
    parse(req, res, done);
    if (!isDone) req.on('data', count);
  };
}

/** Closes the server's direction only: resetting both could lose the response (RFC 9112, 9.6). */
function closeAfterAnswer(req: Request, res: Response): void {
  const { socket } = req;
  let left = LINGER_BYTES;
  req.on('data', (chunk: Buffer) => {
    left -= chunk.byteLength;
    if (left < 0) req.pause();
  });
  res.set('Connection', 'close');
  // Node calls `destroySoon` after the last response on a connection.
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  };
}
