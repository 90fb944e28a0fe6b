import type { ReactNode } from 'react';
import type { PageLabels } from '../../labels/labels.ts';
import { Link } from '../link.tsx';
import styles from './rich-parts.module.css';

/** Parts of a text that scripts improve (`client/enhancements/idle-work.ts`). They also work without. */

interface PartProps {
  labels: PageLabels;
  children: ReactNode;
}

const TONES = { note: 'calloutNote', tip: 'calloutTip', warning: 'calloutWarning' } as const;

export function Callout({ tone, labels, children }: PartProps & { tone: unknown }) {
  const known = Object.hasOwn(TONES, String(tone)) ? (tone as keyof typeof TONES) : 'note';
  return (
    <div role="note" className={styles.callout} data-tone={known}>
      <p className={styles.tone}>{labels.text(TONES[known])}</p>
      {children}
    </div>
  );
}

interface HeadingProps extends PartProps {
  id: string;
}

/** A heading, and beside it the link to it. `client/enhancements/copy-code.ts` copies the address. */
export function Heading({ id, labels, children }: HeadingProps) {
  return (
    <header>
      {children}
      {/* biome-ignore lint/a11y/useAnchorContent: the heading names the link */}
      <a
        href={`#${encodeURIComponent(id)}`}
        className={`${styles.anchor} el-no-print`}
        aria-labelledby={id}
        data-copy={labels.text('copied')}
      />
    </header>
  );
}

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

export function LargePicture({ src, alt, labels, children }: PartProps & { src: unknown; alt: unknown }) {
  const name = [alt, labels.text('enlarge')].filter(Boolean).join(' – ');
  return (
    <a className={styles.large} href={String(src)} data-large="" aria-label={name}>
      {children}
    </a>
  );
}

interface FilmProps extends PartProps {
  attributes: Readonly<Record<string, unknown>>;
  picture: ReactNode;
}

/**
 * An embedded video. Its site gets no request until the visitor presses the link. The words are in a `bdi`,
 * because interface and text may differ in direction.
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
