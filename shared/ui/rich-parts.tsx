import type { ReactNode } from 'react';
import type { PageLabels } from '../labels/labels.ts';
import { Link } from './link.tsx';
import styles from './rich-parts.module.css';

/**
 * Parts of a text that do more when scripts run. Each has an attribute by which `client/text-parts.ts` finds it, and is complete without
 * scripts: a picture and a film of another site are links, and code can be selected.
 */

interface PartProps {
  labels: PageLabels;
  children: ReactNode;
}

const TONES = { note: 'calloutNote', tip: 'calloutTip', warning: 'calloutWarning' } as const;

/** Words that stand out of a text: a note, a tip or a warning. */
export function Callout({ tone, labels, children }: PartProps & { tone: unknown }) {
  const known = Object.hasOwn(TONES, String(tone)) ? (tone as keyof typeof TONES) : 'note';
  return (
    <div role="note" className={styles.callout} data-tone={known}>
      <p className={styles.tone}>{labels.text(TONES[known])}</p>
      {children}
    </div>
  );
}

/** A block of code with a button that copies it. */
export function Code({ labels, children }: PartProps) {
  return (
    <div className={styles.code}>
      {children}
      <button type="button" className={`${styles.copy} el-no-print`} data-copy={labels.text('copied')}>
        {labels.text('copyCode')}
      </button>
    </div>
  );
}

/** A picture that opens large. Without scripts the link leads to the file. */
export function LargePicture({ src, alt, labels, children }: PartProps & { src: unknown; alt: unknown }) {
  const name = [alt, labels.text('enlarge')].filter(Boolean).join(' – ');
  return (
    <a className={styles.large} href={String(src)} data-large="" aria-label={name}>
      {children}
    </a>
  );
}

interface FilmProps extends PartProps {
  /** The attributes of `oembed` in a rich text. */
  attributes: Readonly<Record<string, unknown>>;
  picture: ReactNode;
}

/**
 * A film of another site: a picture or a card, and a title. The page asks the other site for nothing until the visitor presses it; then the
 * player takes the place of the picture. Without scripts it is a link to the film's page.
 *
 * The words of the interface may run in another direction than the text, so each stands in a `bdi`.
 *
 * @param children the title, if it is known.
 */
export function Film({ attributes, picture, labels, children }: FilmProps) {
  const { id, href, 'data-frame': frame, 'data-provider': provider } = attributes;
  const words = { provider: String(provider) };
  return (
    <div className={styles.film} {...(id ? { id: String(id) } : {})}>
      <Link href={String(href)} className={styles.poster} data-frame={String(frame)}>
        {picture}
        <span className={styles.title}>{children || <bdi>{labels.text('filmOf', words)}</bdi>}</span>
        <small className={styles.source}>
          <bdi>{labels.text('playsFrom', words)}</bdi>
        </small>
      </Link>
    </div>
  );
}
