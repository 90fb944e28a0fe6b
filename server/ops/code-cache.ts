import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** A bundle in the CommonJS format, as one function (`asFunction` in `build/code-cache.ts`). */
export interface Bundle {
  /** Whether V8 has taken its code from the code cache, and did not compile it. */
  readonly isCached: boolean;
  /** @returns its exports. */
  run(): object;
  /** @returns the content of a code cache: the code of all functions that have been called so far. */
  codeCache(): Buffer;
}

/** @returns the file of a bundle's code cache. */
export function codeCacheOf(file: string): string {
  return `${file}.code`;
}

/**
 * Compiles a bundle, with the code that V8 had compiled when the site was built. Without a code cache, or with one of another bundle, of
 * another Node or of other flags, V8 compiles all of it.
 */
export function loadBundle(file: string): Bundle {
  const script = compiled(file);
  return {
    isCached: script.cachedDataRejected === false,
    run() {
      const module = { exports: {} };
      script.runInThisContext()(createRequire(file), module, module.exports, file, path.dirname(file));
      return module.exports;
    },
    codeCache() {
      const code = script.createCachedData();
      return Buffer.concat([checksums(readFileSync(file), code), code]);
    },
  };
}

/** The bytes of the source and of the cache are not kept. */
function compiled(file: string): Script {
  const source = readFileSync(file);
  // The build writes ASCII alone. As `latin1` it is not decoded, and takes one byte for each character.
  return new Script(source.toString('latin1'), {
    filename: file,
    cachedData: readCodeCache(file, source),
  });
}

function readCodeCache(file: string, source: Buffer): Buffer | undefined {
  try {
    const cache = readFileSync(codeCacheOf(file));
    const code = cache.subarray(CHECKSUMS_BYTES);
    return checksums(source, code).equals(cache.subarray(0, CHECKSUMS_BYTES)) ? code : undefined;
  } catch {
    return undefined;
  }
}

const CHECKSUMS_BYTES = 8;

/** V8 compares the length of the source alone, and a broken cache would end the process. */
function checksums(source: Buffer, code: Buffer): Buffer {
  const bytes = Buffer.alloc(CHECKSUMS_BYTES);
  bytes.writeUInt32LE(crc32(source));
  bytes.writeUInt32LE(crc32(code), 4);
  return bytes;
}
