import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline, Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createInflate, createUnzip, createZstdDecompress } from 'node:zlib';
import type { HttpAnswer } from '../backend/http-call.ts';
import { BackendError } from '../errors.ts';

/** The largest size of a decoded file, in bytes. */
const MAX_FILE_BYTES = 100 * 1024 * 1024;

/** Decoders of content encodings (RFC 9110, 8.4.1; RFC 7932; RFC 8878). */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createUnzip,
  'x-gzip': createUnzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/**
 * @returns the body; null if the file does not exist. Reading the body fails if it is broken, too short, or
 *   larger than MAX_FILE_BYTES.
 * @throws BackendError for a status other than 200, 404 and 410: a 206 has only a part of the file.
 */
export function wholeBody(mediaPath: string, { status, headers, body }: HttpAnswer): Readable | null {
  const call = `GET ${mediaPath}`;
  if (status === 404 || status === 410) {
    body.destroy();
    return null;
  }
  if (status !== 200) {
    body.destroy();
    throw new BackendError('status', call, `answered ${status}`, { status });
  }
  const encoding = encodingOf(headers['content-encoding']);
  const decoder = encoding === null ? null : DECODERS[encoding];
  if (decoder === undefined) {
    body.destroy();
    throw new BackendError('malformed', call, `a file in the unknown encoding '${encoding}'`);
  }
  const stages = [
    wholeLength(call, headers['content-length']),
    ...(decoder ? [decoder()] : []),
    bodyLimit(call),
  ];
  // `pipeline` destroys all streams when one fails, and passes the error to the reader.
  return pipeline([body, ...stages], () => {}) as unknown as Readable;
}

export function announcedBytes({ headers }: HttpAnswer): number | null {
  if (encodingOf(headers['content-encoding']) !== null) return null;
  const length = Number(headers['content-length'] ?? Number.NaN);
  return Number.isSafeInteger(length) ? length : null;
}

function encodingOf(header: string | undefined): string | null {
  const name = header?.trim().toLowerCase() ?? '';
  return name === '' || name === 'identity' ? null : name;
}

function wholeLength(call: string, contentLength: string | undefined): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.byteLength;
      done(null, chunk);
    },
    flush(done) {
      const isWhole = contentLength === undefined || bytes === Number(contentLength);
      done(isWhole ? null : new BackendError('malformed', call, `${bytes} of ${contentLength} bytes`));
    },
  });
}

function bodyLimit(call: string): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.byteLength;
      if (bytes <= MAX_FILE_BYTES) return done(null, chunk);
      return done(new BackendError('too-large', call, `a file of more than ${MAX_FILE_BYTES} bytes`));
    },
  });
}

/** @returns the first bytes, and a complete body that replaces the given one. */
export async function readHead(body: Readable, bytes: number): Promise<{ head: Buffer; body: Readable }> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const first: Buffer[] = [];
  let length = 0;
  let isEnded = false;
  while (length < bytes && !isEnded) {
    const next = await chunks.next();
    if (next.done) isEnded = true;
    else {
      first.push(next.value);
      length += next.value.byteLength;
    }
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield* first;
    while (!isEnded) {
      const next = await chunks.next();
      if (next.done) return;
      yield next.value;
    }
  }
  const whole = Readable.from(all(), { objectMode: false });
  whole.once('close', () => body.destroy());
  return { head: Buffer.concat(first).subarray(0, bytes), body: whole };
}

/** @returns the body's SHA-256 in base64url, and its first bytes. */
export async function readDigest(
  file: string,
  bodyBytes: number,
  headBytes: number,
): Promise<{ sha256: string; head: Buffer }> {
  const hash = createHash('sha256');
  const first: Buffer[] = [];
  let length = 0;
  if (bodyBytes > 0) {
    for await (const chunk of createReadStream(file, { end: bodyBytes - 1 }) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      if (length < headBytes) first.push(chunk);
      length += chunk.byteLength;
    }
  }
  return { sha256: hash.digest('base64url'), head: Buffer.concat(first).subarray(0, headBytes) };
}
