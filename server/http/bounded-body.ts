import type { Request, RequestHandler, Response } from 'express';
import { HttpError } from '../../shared/payload/http-error.ts';

/** What a client may go on sending after it was refused, in bytes, and how long after its answer, in ms. */
const LINGER_BYTES = 1024 * 1024;
const LINGER_MS = 2_000;

/**
 * @param limit bytes of a body. A larger one is 413 before any of it is read where its length is told, and when the limit
 * is passed where it is not; the connection ends with the answer.
 * @param parse one of Express's parsers, without `inflate`: what comes out of a compressed body nobody has counted.
 */
export function boundedBody(limit: number, parse: RequestHandler): RequestHandler {
  return (req, res, next) => {
    let bytes = 0;
    let isDone = false;
    // The parser itself says so only when all of the body has come: then nobody listens any more.
    const done = (error?: unknown) => {
      if (isDone) return;
      isDone = true;
      req.off('data', count);
      if (error !== undefined && !req.complete) closeAfterAnswer(req, res);
      next(error);
    };
    const count = (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes > limit) done(tooLarge());
    };
    if (Number(req.get('content-length')) > limit) return done(tooLarge());
    parse(req, res, done);
    if (!isDone) req.on('data', count);
  };
}

function tooLarge(): HttpError {
  return new HttpError('This is more than can be sent to this address.', 413);
}

/**
 * Ends the connection with the answer, although more of the request is on its way. To close both directions at once would
 * be a reset, which may take the answer from a client that is still sending (RFC 9112, section 9.6): so the server's own
 * direction is closed, and what comes in the other is thrown away for a moment.
 */
function closeAfterAnswer(req: Request, res: Response): void {
  const { socket } = req;
  let left = LINGER_BYTES;
  req.on('data', (chunk: Buffer) => {
    left -= chunk.byteLength;
    if (left < 0) req.pause();
  });
  res.set('Connection', 'close');
  // Node calls this when the last answer of a connection is out.
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  };
}
