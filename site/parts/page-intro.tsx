import type { ReactNode } from 'react';
import type { Breadcrumb } from '../../shared/content/links.ts';
import { Breadcrumbs } from '../../shared/ui/breadcrumbs.tsx';
import { contentText } from '../../shared/ui/content-text.tsx';
import { HeadingEnd } from '../../shared/ui/heading-end.tsx';
// Bundle this module here, because the same pages use it: a chunk of its own would cost a request.
import './offer.tsx';
import styles from './page-intro.module.css';

interface PageIntroProps {
  title: string;
  text?: string | null;
  breadcrumbs?: readonly Breadcrumb[];
  children?: ReactNode;
}

/** The introduction, with the page's only `h1`, which gets the focus after a navigation. */
export function PageIntro({ title, text, breadcrumbs = [], children }: PageIntroProps) {
  return (
    <div className={styles.root}>
      <Breadcrumbs items={breadcrumbs} />
      <h1 tabIndex={-1} className={styles.title} dir="auto">
        {title}
      </h1>
      <HeadingEnd />
      {contentText(text, styles.text)}
      {children}
    </div>
  );
}
