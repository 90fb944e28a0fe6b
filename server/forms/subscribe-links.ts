import type { Config } from '../config/config.ts';
import { createSigner, type ValueSigner } from '../http/security/signed-value.ts';
import { uuidOf } from './message-key.ts';

export type SubscribeStep = 'confirm' | 'leave';

const DAY_SECONDS = 24 * 60 * 60;
/** A link to leave stands in each e-mail of the newsletter, and people keep those. */
const LIFE_SECONDS: Readonly<Record<SubscribeStep, number>> = {
  confirm: 7 * DAY_SECONDS,
  leave: 10 * 365 * DAY_SECONDS,
};

/** `wrong`: this site has not signed the link. */
export type OpenedLink =
  | { readonly state: 'valid'; readonly email: string; readonly key: string }
  | { readonly state: 'expired' | 'wrong' };

/** The links by which visitors confirm and leave the newsletter. */
export interface SubscribeLinks {
  /** Absolute addresses for e-mails. */
  fieldsFor(email: string): { readonly confirmUrl: string; readonly leaveUrl: string };
  /** @returns the signed address of a valid token, and the idempotency key of its message. */
  open(step: SubscribeStep, token: string): OpenedLink;
}

/**
 * @param now a clock that all processes share, in ms.
 * @returns null without SUBSCRIBE_SECRET or PUBLIC_URL: subscriptions are then not confirmed.
 */
export function createSubscribeLinks(
  { subscribeSecret, publicOrigin }: Pick<Config, 'subscribeSecret' | 'publicOrigin'>,
  now: () => number = Date.now,
): SubscribeLinks | null {
  if (subscribeSecret === null || publicOrigin === null) return null;
  // The purpose is a part of the signature: a link that confirms does not leave.
  const signers: Readonly<Record<SubscribeStep, ValueSigner>> = {
    confirm: createSigner(subscribeSecret, 'subscribe-confirm', now),
    leave: createSigner(subscribeSecret, 'subscribe-leave', now),
  };
  const linkFor = (step: SubscribeStep, email: string) => {
    const value = Buffer.from(email).toString('base64url');
    return `${publicOrigin}/subscribe/${step}?token=${signers[step].sign(value, LIFE_SECONDS[step])}`;
  };
  return {
    fieldsFor: email => ({ confirmUrl: linkFor('confirm', email), leaveUrl: linkFor('leave', email) }),
    open(step, token) {
      const signed = signers[step].read(token);
      if (signed === null) return { state: 'wrong' };
      if (signed.isExpired) return { state: 'expired' };
      const email = Buffer.from(signed.value, 'base64url').toString();
      return { state: 'valid', email, key: uuidOf(`subscribe-${step} ${token}`) };
    },
  };
}
