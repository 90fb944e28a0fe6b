import { Suspense, useEffect, useId, useRef } from 'react';
import type { RichText as RichTextTree } from '../content/rich-text.ts';
import { useLabels } from '../labels/labels-context.ts';
import { Button } from './button.tsx';
import { RichText } from './rich-text/rich-text.tsx';
import styles from './scripts-consent.module.css';

interface ScriptsConsentProps {
  hosts: readonly string[];
  purposes: RichTextTree;
  asking: boolean;
  /** Whether the first button gets the focus, because the pressed button has disappeared. */
  movesFocus: boolean;
  allowed: boolean;
  onChoose(allow: boolean): void;
  onAskAgain(): void;
}

export function ScriptsConsent(props: ScriptsConsentProps) {
  const labels = useLabels();
  const { hosts, purposes, asking, movesFocus, allowed, onChoose, onAskAgain } = props;
  const first = useRef<HTMLDivElement>(null);
  const titleId = useId();
  useEffect(() => {
    if (movesFocus) first.current?.querySelector('button')?.focus({ preventScroll: true });
  }, [movesFocus]);
  if (!asking) {
    return (
      <aside className={`el-band ${styles.choice}`} aria-label={labels.text('scriptsTitle')}>
        <div className={`el-frame ${styles.frame}`} ref={first}>
          <p>{labels.text(allowed ? 'scriptsAllowed' : 'scriptsDeclined')}</p>
          <Button look="text" className={styles.change} onClick={onAskAgain}>
            {labels.text('scriptsChange')}
          </Button>
        </div>
      </aside>
    );
  }
  return (
    <section className={styles.question} aria-labelledby={titleId} data-asking>
      <div className={styles.words}>
        <h2 id={titleId} className={styles.title}>
          {labels.text('scriptsQuestion')}
        </h2>
        {purposes.length > 0 ? (
          <Suspense>
            <RichText content={purposes} className={styles.text} />
          </Suspense>
        ) : (
          <p className={styles.text}>{labels.text('scriptsNote', { hosts: hosts.join(', ') })}</p>
        )}
      </div>
      <div className={styles.answers} ref={first}>
        <Button look="outline" onClick={() => onChoose(false)}>
          {labels.text('decline')}
        </Button>
        <Button look="outline" onClick={() => onChoose(true)}>
          {labels.text('allow')}
        </Button>
      </div>
    </section>
  );
}
