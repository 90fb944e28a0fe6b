import { readlink } from 'node:fs/promises';
import path from 'node:path';
import { domainToASCII } from 'node:url';
import { unlessMissing } from '../cache/disk/missing-file.ts';
import { keyedDigest } from '../http/security/signed-value.ts';
import type { SharedStore } from '../shared-store/shared-store.ts';
import { link } from './leases.ts';
import { DAY_MS, type OutboxMessage } from './outbox-files.ts';

/** The most e-mails to a mailbox in a day. Each takes a place: a symlink on disk, a key in the store. */
const PLACES = 3;

/**
 * Limits e-mails with a confirmation link: each mailbox gets at most PLACES a day, from all clients together.
 * If the store or the disk fails, only the other one counts: one e-mail too many is better than none.
 * @returns whether a message may be delivered. A retried message keeps its place.
 */
export function createRecipientLimit(
  dir: string,
  secret: string,
  shared: Pick<SharedStore, 'key' | 'command' | 'seal' | 'open'> | null,
) {
  async function takeInStore(place: string, id: string): Promise<boolean> {
    if (!shared) return true;
    const key = shared.key(`limit:recipient:${place}`);
    const arguments_ = [key, shared.seal(key, id), 'NX', 'GET', 'PX', DAY_MS];
    const answer = shared.command<string | null>('SET', arguments_, { op: 'limit', limitMs: 500 });
    const holder = shared.open(key, await answer.catch(() => null));
    return (holder?.toString() ?? id) === id;
  }

  async function takeOnDisk(place: string, id: string): Promise<boolean> {
    const file = path.join(dir, 'recipients', place);
    return ((await link(id, file)) ?? true) || (await unlessMissing(readlink(file))) === id;
  }

  return async ({ form, email = '', confirmUrl }: OutboxMessage['message'], id: string) => {
    if (form !== 'subscribe' || confirmUrl === undefined) return true;
    const mailbox = keyedDigest(secret, `recipient ${mailboxOf(email)}`);
    for (let number = 0; number < PLACES; number += 1) {
      const place = `${mailbox}.${number}`;
      if ((await takeInStore(place, id)) && (await takeOnDisk(place, id))) return true;
    }
    return false;
  };
}

/**
 * Normalizes spellings of one mailbox: case, subaddresses (`name+tag`, RFC 5233), dots, and the form of the
 * domain. Two people whose addresses differ only in dots share the limit.
 */
function mailboxOf(email: string): string {
  const [local = '', domain = ''] = email.normalize('NFKC').toLowerCase().split('@', 2);
  return `${local.replace(/\+.*|\./gs, '')}@${domainToASCII(domain)}`;
}
