import { useState } from 'react';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { useLocation } from '../../../shared/routing/router.ts';
import { Icon } from '../../../shared/ui/icon.tsx';

export interface ShareButtonsProps {
  title: string;
  className: string | undefined;
}

export default function ShareButtons({ title, className }: ShareButtonsProps) {
  const labels = useLabels();
  const { pathname } = useLocation();
  const [copied, setCopied] = useState(false);
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
    <>
      <button type="button" className={className} onClick={copy}>
        <Icon name={copied ? 'check' : 'link'} />
        {labels.text(copied ? 'copied' : 'copyLink')}
      </button>
      <a
        className={className}
        href={`mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(url)}`}
      >
        <Icon name="mail" />
        {labels.text('shareByEmail')}
      </a>
      {'share' in navigator ? (
        <button
          type="button"
          className={className}
          onClick={() => navigator.share({ title, url }).catch(() => undefined)}
        >
          <Icon name="share" />
          {labels.text('share')}
        </button>
      ) : null}
      <span role="status" className="el-visually-hidden">
        {copied ? labels.text('linkCopied') : ''}
      </span>
    </>
  );
}
