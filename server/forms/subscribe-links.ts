import type { Config } from '../config/config.ts';
import { createSigner, type ValueSigner } from '../http/security/signed-value.ts';
import { uuidOf } from './message-key.ts';

export type SubscribeStep = 'confirm' | 'leave';

const DAY_SECONDS = 24 * 60 * 60;
/** The lifetime of links. An unsubscribe link lasts long, because people keep the newsletters with it. */
const LIFE_SECONDS: Readonly<Record<SubscribeStep, number>> = {
  confirm: 7 * DAY_SECONDS,
  leave: 10 * 365 * DAY_SECONDS,
};

/** `wrong`: the link lacks a valid signature of this site. */
export type OpenedLink =
  | { readonly state: 'valid'; readonly email: string; readonly key: string }
  | { readonly state: 'expired' | 'wrong' };

export type SubscribeLinks = NonNullable<ReturnType<typeof createSubscribeLinks>>;

/**
 * @param onFormer called for each valid link that the former secret has signed.
 * @returns null without SUBSCRIBE_SECRET or PUBLIC_URL. Subscriptions then need no confirmation.
 */
export function createSubscribeLinks(
  { subscribeSecret, publicOrigin }: Pick<Config, 'subscribeSecret' | 'publicOrigin'>,
  now: () => number = Date.now,
  onFormer?: () => void,
) {
  if (subscribeSecret === null || publicOrigin === null) return null;
  // Sign the purpose as well, so that a confirmation link cannot be used to unsubscribe.
  const signers: Readonly<Record<SubscribeStep, ValueSigner>> = {
    confirm: createSigner(subscribeSecret, 'subscribe-confirm', now, onFormer),
    leave: createSigner(subscribeSecret, 'subscribe-leave', now, onFormer),
  };
  const linkFor = (step: SubscribeStep, email: string) => {
    const value = Buffer.from(email).toString('base64url');
    return `${publicOrigin}/subscribe/${step}?token=${signers[step].sign(value, LIFE_SECONDS[step])}`;
  };
  return {
    fieldsFor: (email: string) => ({
      confirmUrl: linkFor('confirm', email),
      leaveUrl: linkFor('leave', email),
    }),
    /** @returns the e-mail address that a token is signed for, and the idempotency key of its message. */
    open(step: SubscribeStep, token: string): OpenedLink {
      const signed = signers[step].read(token);
      if (signed === null) return { state: 'wrong' };
      if (signed.isExpired) return { state: 'expired' };
      const email = Buffer.from(signed.value, 'base64url').toString();
      return { state: 'valid', email, key: uuidOf(`subscribe-${step} ${token}`) };
    },
  };
}
