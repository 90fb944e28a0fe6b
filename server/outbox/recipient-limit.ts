import { lstat, readlink, rm } from 'node:fs/promises';
import path from 'node:path';
import { domainToASCII } from 'node:url';
import { unlessMissing } from '../cache/missing-file.ts';
import { keyedDigest } from '../http/signed-value.ts';
import type { SharedStore } from '../shared-state/shared-store.ts';
import { link } from './leases.ts';

/** E-mails to one address in PLACE_LIFE_MS. */
const PLACES = 3;
/** How long an e-mail takes one of the places of its address, in ms. */
export const PLACE_LIFE_MS = 24 * 60 * 60 * 1_000;
/** How long a delivery waits for the shared store, in ms. No visitor waits. */
const STORE_LIMIT_MS = 500;

/** Limits the e-mails to an address, whoever asks for them. */
export interface RecipientLimit {
  /**
   * Takes one of the places of an address.
   *
   * @param id of the message. A message that is tried again keeps its place.
   * @returns whether the message may be delivered.
   */
  allows(email: string, id: string): Promise<boolean>;
}

/** Takes a place for a message. @returns whether the message has it now. */
type TakePlace = (place: string, id: string) => Promise<boolean>;

export interface RecipientLimitOptions {
  /** The folder `outbox`. */
  dir: string;
  /** The key of the digests that stand for addresses on disk and in the store. */
  secret: string;
  shared: Pick<SharedStore, 'key' | 'command'> | null;
}

/**
 * @returns a limit whose places are symbolic links in the folder, and keys in the shared store where there is one. A disk or a store that
 *   fails leaves the limit to the other: a subscriber without an e-mail is worse than one more e-mail.
 */
export function createRecipientLimit({ dir, secret, shared }: RecipientLimitOptions): RecipientLimit {
  async function takeOnDisk(place: string, id: string): Promise<boolean> {
    const file = path.join(dir, 'recipients', place);
    const taken = await unlessMissing(lstat(file));
    if (taken && Date.now() - taken.mtimeMs > PLACE_LIFE_MS) await rm(file, { force: true });
    return ((await link(id, file)) ?? true) || (await unlessMissing(readlink(file))) === id;
  }

  const takeInStore = (store: NonNullable<typeof shared>) => async (place: string, id: string) => {
    const key = store.key(`limit:recipient:${place}`);
    const options = { op: 'limit', limitMs: STORE_LIMIT_MS };
    try {
      const answer = await store.command('SET', [key, id, 'NX', 'PX', PLACE_LIFE_MS], options);
      return answer === 'OK' || (await store.command('GET', [key], options)) === id;
    } catch {
      return true;
    }
  };

  async function takeOne(take: TakePlace, recipient: string, id: string): Promise<boolean> {
    for (let place = 0; place < PLACES; place += 1) if (await take(`${recipient}.${place}`, id)) return true;
    return false;
  }

  return {
    async allows(email, id) {
      const recipient = keyedDigest(secret, `recipient ${mailboxOf(email)}`);
      return (
        (shared === null || (await takeOne(takeInStore(shared), recipient, id))) &&
        (await takeOne(takeOnDisk, recipient, id))
      );
    },
  };
}

/**
 * @returns an address without the differences that lead to the same mailbox: case, subaddresses (`name+tag`, RFC 5233), dots, which some
 *   providers ignore, and the two forms of a domain. Two people whose addresses differ in dots alone share the limit.
 */
function mailboxOf(email: string): string {
  const [local = '', domain = ''] = email.normalize('NFKC').toLowerCase().split('@', 2);
  return `${local.split('+', 1)[0]?.replaceAll('.', '')}@${domainToASCII(domain)}`;
}
