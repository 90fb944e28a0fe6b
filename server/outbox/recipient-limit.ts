import { readlink } from 'node:fs/promises';
import path from 'node:path';
import { domainToASCII } from 'node:url';
import { unlessMissing } from '../cache/missing-file.ts';
import { keyedDigest } from '../http/signed-value.ts';
import type { SharedStore } from '../shared-state/shared-store.ts';
import { link } from './leases.ts';

/** E-mails to one mailbox in a day. Each takes a place. */
const PLACES = 3;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** No visitor waits for the shared store. */
const IN_STORE = { op: 'limit', limitMs: 500 };

export interface RecipientLimitOptions {
  /** The folder `outbox`. Old places are removed with its other expired files. */
  dir: string;
  /** The key of the digests that stand for mailboxes. */
  secret: string;
  shared: Pick<SharedStore, 'key' | 'command'> | null;
}

/**
 * Limits the e-mails to a mailbox, whoever asks for them. A place is a symbolic link on disk, and a key in the shared store. Where one of the two
 * fails the other one counts: a subscriber without an e-mail is worse than one more e-mail.
 *
 * @returns a function that tells whether a message may be delivered. A message that is tried again keeps its place.
 */
export function createRecipientLimit({ dir, secret, shared }: RecipientLimitOptions) {
  async function takeInStore(place: string, id: string): Promise<boolean> {
    if (shared === null) return true;
    const key = shared.key(`limit:recipient:${place}`);
    const ask = (name: string, ...args: (string | number)[]) =>
      shared.command(name, [key, ...args], IN_STORE);
    try {
      return (await ask('SET', id, 'NX', 'PX', DAY_MS)) === 'OK' || (await ask('GET')) === id;
    } catch {
      return true;
    }
  }

  async function takeOnDisk(place: string, id: string): Promise<boolean> {
    const file = path.join(dir, 'recipients', place);
    return ((await link(id, file)) ?? true) || (await unlessMissing(readlink(file))) === id;
  }

  return async (email: string, id: string): Promise<boolean> => {
    const recipient = keyedDigest(secret, `recipient ${mailboxOf(email)}`);
    for (const place of Array.from({ length: PLACES }, (_, number) => `${recipient}.${number}`))
      if ((await takeInStore(place, id)) && (await takeOnDisk(place, id))) return true;
    return false;
  };
}

/**
 * @returns an address without the differences that lead to the same mailbox: case, subaddresses (`name+tag`, RFC 5233), dots, which some
 *   providers ignore, and the two forms of a domain. Two people whose addresses differ in dots alone share the limit.
 */
function mailboxOf(email: string): string {
  const [local = '', domain = ''] = email.normalize('NFKC').toLowerCase().split('@', 2);
  return `${local.replace(/\+.*|\./gs, '')}@${domainToASCII(domain)}`;
}
