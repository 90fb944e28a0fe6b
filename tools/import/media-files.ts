import { existsSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 100_000_000;
/** The placeholder for the site's address in exports of Ghost. */
export const GHOST_URL = '__GHOST_URL__';

interface MediaOptions {
  readonly uploads: string;
  /** A copy of the old site's files; null if there is none. */
  readonly folder: string | null;
  /** The old site's address, for paths and for Ghost's placeholder. */
  readonly address: string;
  readonly fetches: boolean;
}

export class MediaFiles {
  readonly #options: MediaOptions;
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();

  constructor(options: MediaOptions) {
    this.#options = options;
  }

  /** @returns the name below `/uploads`, or the reason why there is none. */
  async take(address: string): Promise<{ name: string } | { reason: string }> {
    const whole = address.replace(GHOST_URL, this.#options.address);
    const url = URL.parse(whole, this.#options.address || 'file:///');
    if (!url) return { reason: 'it is no address' };
    const known = this.#names.get(url.href);
    if (known) return { name: known };
    const name = this.#nameFor(decodeURIComponent(path.posix.basename(url.pathname)));
    const target = path.join(this.#options.uploads, name);
    const local = this.#localFile(decodeURIComponent(url.pathname));
    await mkdir(this.#options.uploads, { recursive: true });
    if (local) await copyFile(local, target);
    else {
      const reason = await this.#fetchInto(url, target);
      if (reason) return { reason };
    }
    this.#names.set(url.href, name);
    this.#taken.add(name);
    return { name };
  }

  /** Finds the file of `/wp-content/uploads/a.jpg`, even if the copied folder has only `uploads/a.jpg`. */
  #localFile(pathname: string): string | null {
    const { folder } = this.#options;
    if (folder === null) return null;
    const parts = pathname.split('/').filter(part => part !== '' && part !== '..');
    const files = parts.map((_part, from) => path.join(folder, ...parts.slice(from)));
    return files.find(file => existsSync(file)) ?? null;
  }

  async #fetchInto(url: URL, target: string): Promise<string | null> {
    if (!url.protocol.startsWith('http')) return 'the file is not in the folder of --media';
    if (!this.#options.fetches) return 'the file is not in the folder of --media, and --offline fetches none';
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (!answer.ok) return `its address answers ${answer.status}`;
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (bytes.length > MAX_BYTES) return 'it is larger than 100 MB';
      await writeFile(target, bytes);
      return null;
    } catch (error) {
      return `it cannot be fetched (${error instanceof Error ? error.message : String(error)})`;
    }
  }

  #nameFor(base: string): string {
    const plain = base.toLowerCase().replace(/[^\p{L}\p{N}._-]+/gu, '-') || 'file';
    let name = plain;
    for (let number = 2; this.#taken.has(name); number += 1) name = `${number}-${plain}`;
    return name;
  }
}
