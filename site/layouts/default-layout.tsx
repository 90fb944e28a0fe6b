import { type ReactNode, useEffect } from 'react';
import { useLabels } from '../../shared/labels/labels-context.ts';
import type { Shell } from '../../shared/payload/shell.ts';
import { useLocation } from '../../shared/routing/router.ts';
import { ShellContext } from '../parts/shell-context.ts';
import { SiteHeader } from './header/site-header.tsx';
import styles from './initial-overlay.module.css';
import { SiteFooter } from './site-footer.tsx';
import { SubscribeBlock } from './subscribe-block.tsx';

/** The default layout. Without the shell's content it shows only the link home, without a name. */
export function DefaultLayout({ shell, children }: { shell: Shell | null; children: ReactNode }) {
  const labels = useLabels();
  const { pathname } = useLocation();
  const siteName = shell?.siteName ?? labels.text('backToStart');
  return (
    <ShellContext value={shell}>
      <a href="#content" className="el-skip-link">
        {labels.text('skipToContent')}
      </a>
      <SiteHeader siteName={siteName} shell={shell} />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      {shell ? <SubscribeBlock siteName={siteName} isLine={pathname !== '/'} /> : null}
      <SiteFooter shell={shell} siteName={siteName} />
      <InitialOverlay />
    </ShellContext>
  );
}

/** Draws a line below the header of a session's first page (`client/early.ts`). It covers no text. */
function InitialOverlay() {
  // Draw no line when a layout is mounted again.
  useEffect(
    () => () => {
      delete document.documentElement.dataset.visit;
    },
    [],
  );
  return <div className={`${styles.root} el-no-print`} aria-hidden="true" />;
}
