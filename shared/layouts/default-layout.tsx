import type { ReactNode } from 'react';
import { ShellContext } from '../blocks/shell-context.ts';
import { useLabels } from '../labels/labels-context.ts';
import type { Shell } from '../payload/payload.ts';
import { InitialOverlay } from './initial-overlay.tsx';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';
import { SubscribeBlock } from './subscribe-block.tsx';

/** The layout of all pages outside the blog. Without the shell's content it shows no name and no links but the one home. */
export function DefaultLayout({ shell, children }: { shell: Shell | null; children: ReactNode }) {
  const labels = useLabels();
  const siteName = shell?.siteName ?? labels.text('backToStart');
  return (
    <ShellContext value={shell}>
      <a href="#content" className="el-skip-link">
        {labels.text('skipToContent')}
      </a>
      <SiteHeader siteName={siteName} links={shell?.headerLinks ?? []} />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      {shell ? <SubscribeBlock siteName={siteName} socials={shell.subscribeSocials} /> : null}
      <SiteFooter shell={shell} siteName={siteName} />
      <InitialOverlay siteName={siteName} />
    </ShellContext>
  );
}

export default DefaultLayout;
