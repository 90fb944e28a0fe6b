import { useState } from 'react';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { useLocation } from '../../../shared/routing/router.ts';
import { Icon } from '../../../shared/ui/icon.tsx';
import { useMounted } from '../../../shared/ui/rendering/use-mounted.ts';
import styles from './share-links.module.css';

/** Buttons to share a page. They need the page's origin, so they appear after hydration. */
export function ShareLinks({ title }: { title: string }) {
  const labels = useLabels();
  const { pathname } = useLocation();
  const mounted = useMounted();
  const [copied, setCopied] = useState(false);
  if (!mounted) return <div className={`${styles.root} el-no-print`} />;

  const url = `${window.location.origin}${pathname}`;
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(url);
      setCopied(true);
    } catch {
      // The browser denies the clipboard.
    }
  }
  return (
    <div className={`${styles.root} el-no-print`}>
      <button type="button" className={styles.action} onClick={copy}>
        <Icon name={copied ? 'check' : 'link'} />
        {labels.text(copied ? 'copied' : 'copyLink')}
      </button>
      <a
        className={styles.action}
        href={`mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(url)}`}
      >
        <Icon name="mail" />
        {labels.text('shareByEmail')}
      </a>
      {'share' in navigator ? (
        <button
          type="button"
          className={styles.action}
          onClick={() => navigator.share({ title, url }).catch(() => undefined)}
        >
          <Icon name="share" />
          {labels.text('share')}
        </button>
      ) : null}
      <span role="status" className="el-visually-hidden">
        {copied ? labels.text('linkCopied') : ''}
      </span>
    </div>
  );
}
