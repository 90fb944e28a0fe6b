import type { ReactNode } from 'react';
import { ShellContext } from '../blocks/shell-context.ts';
import { useLabels } from '../labels/labels-context.ts';
import type { Shell } from '../payload/payload.ts';
import { CategoryNavigation } from './category-navigation.tsx';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';
import { SubscribeBlock } from './subscribe-block.tsx';

/** The blog's layout: a smaller header with the categories below it. */
export function BlogLayout({ shell, children }: { shell: Shell | null; children: ReactNode }) {
  const labels = useLabels();
  const siteName = shell?.siteName ?? labels.text('backToStart');
  return (
    <ShellContext value={shell}>
      <a href="#content" className="el-skip-link">
        {labels.text('skipToContent')}
      </a>
      <SiteHeader siteName={siteName} links={shell?.headerLinks ?? []} quiet />
      <CategoryNavigation categories={shell?.categories ?? []} />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      {shell ? <SubscribeBlock siteName={siteName} socials={shell.subscribeSocials} /> : null}
      <SiteFooter shell={shell} siteName={siteName} />
    </ShellContext>
  );
}

export default BlogLayout;
