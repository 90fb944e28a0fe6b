import { useState } from 'react';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { useLocation } from '../../../shared/routing/router.ts';
import icons from '../../../shared/ui/icon.module.css';

/** Paths that are not in `Icon`, because every page loads those. */
const PATHS = {
  check: 'm4 10.5 4 4 8-9',
  link: 'M8.5 11.5a3 3 0 0 0 4.2 0l3-3a3 3 0 0 0-4.2-4.2l-1 1M11.5 8.5a3 3 0 0 0-4.2 0l-3 3a3 3 0 0 0 4.2 4.2l1-1',
  mail: 'M2.5 4.5h15v11h-15zM3 5l7 6 7-6',
  share: 'M10 12V2.5M6.5 6 10 2.5 13.5 6M4 10v7.5h12V10',
} as const;

function ShareIcon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg className={icons.root} viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

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
        <ShareIcon name={copied ? 'check' : 'link'} />
        {labels.text(copied ? 'copied' : 'copyLink')}
      </button>
      <a
        className={className}
        href={`mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(url)}`}
      >
        <ShareIcon name="mail" />
        {labels.text('shareByEmail')}
      </a>
      {'share' in navigator ? (
        <button
          type="button"
          className={className}
          onClick={() => navigator.share({ title, url }).catch(() => undefined)}
        >
          <ShareIcon name="share" />
          {labels.text('share')}
        </button>
      ) : null}
      <span role="status" className="el-visually-hidden">
        {copied ? labels.text('linkCopied') : ''}
      </span>
    </>
  );
}
