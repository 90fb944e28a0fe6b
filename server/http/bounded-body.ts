import type { Request, RequestHandler, Response } from 'express';
import type { HttpError } from '../../shared/payload/http-error.ts';
import { saidError } from '../errors.ts';

/** Bytes that are read and discarded from a refused client that is still sending. */
const LINGER_BYTES = 1024 * 1024;
/** Time from the answer to the end of such a client's connection, in ms. */
const LINGER_MS = 2_000;

/**
 * Limits the size of a body. A larger one is answered with 413, and the connection ends with the answer. With `Content-Length` the answer
 * comes before any of the body is read; without it the answer comes as soon as the limit is passed.
 *
 * @param limit the size, in bytes.
 * @param parse one of Express's parsers, without `inflate`: the limit does not count the bytes that a compressed body unpacks to.
 */
export function boundedBody(limit: number, parse: RequestHandler): RequestHandler {
  return (req, res, next) => {
    let bytes = 0;
    let isDone = false;
    // The parser reports a body that is too large only after reading all of it. A client that never stops sending would get no answer.
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
  return saidError('tooLarge', 413);
}

/**
 * Ends the connection with the answer, although more of the request is on its way. Closing both directions at once would
 * reset the connection, and a client that is still sending might lose the answer (RFC 9112, section 9.6). So only the server's
 * direction is closed, and incoming bytes are discarded for a moment.
 */
function closeAfterAnswer(req: Request, res: Response): void {
  const { socket } = req;
  let left = LINGER_BYTES;
  req.on('data', (chunk: Buffer) => {
    left -= chunk.byteLength;
    if (left < 0) req.pause();
  });
  res.set('Connection', 'close');
  // Node calls `destroySoon` after the last answer on a connection.
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  };
}
