import { use } from 'react';
import type { Offer } from '../../shared/content/settings.ts';
import { ButtonLink } from '../../shared/ui/button.tsx';
import styles from './offer.module.css';
import { ShellContext } from './shell-context.ts';

interface OfferProps {
  /** The offer of the page itself, in place of that of the settings. */
  own?: Offer | null;
}

export function OfferButton({ own }: OfferProps) {
  const offer = own ?? use(ShellContext)?.cta;
  return offer ? <ButtonLink href={offer.href}>{offer.title}</ButtonLink> : null;
}

export function OfferBand({ own }: OfferProps) {
  const offer = own ?? use(ShellContext)?.cta;
  if (!offer) return null;
  return (
    <div className={styles.root}>
      <p className={styles.text} dir="auto">
        {offer.text}
      </p>
      <OfferButton own={offer} />
    </div>
  );
}
