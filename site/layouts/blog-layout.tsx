import type { ReactNode } from 'react';
import { useLabels } from '../../shared/labels/labels-context.ts';
import type { Shell } from '../../shared/payload/shell.ts';
import { ShellContext } from '../parts/shell-context.ts';
import { CategoryNavigation } from './category-navigation.tsx';
import { SiteHeader } from './header/site-header.tsx';
import { SiteFooter } from './site-footer.tsx';
import { SubscribeBlock } from './subscribe-block.tsx';

export function BlogLayout({ shell, children }: { shell: Shell | null; children: ReactNode }) {
  const labels = useLabels();
  const siteName = shell?.siteName ?? labels.text('backToStart');
  return (
    <ShellContext value={shell}>
      <a href="#content" className="el-skip-link">
        {labels.text('skipToContent')}
      </a>
      <SiteHeader siteName={siteName} shell={shell} quiet />
      <CategoryNavigation categories={shell?.categories ?? []} />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      {shell ? <SubscribeBlock siteName={siteName} /> : null}
      <SiteFooter shell={shell} siteName={siteName} />
    </ShellContext>
  );
}
