import type { ReactNode } from 'react';
import type { ContentLink } from '../../shared/content/links.ts';
import { ButtonLink } from '../../shared/ui/button.tsx';
import styles from './section-heading.module.css';

interface SectionHeadingProps {
  id: string;
  title: ReactNode;
  text?: string | null;
  picture?: string | null;
  link?: ContentLink | null;
}

/**
 * A section's heading. The `aria-labelledby` of a section refers to the title's id. Few sections have one,
 * because a page with many regions has none that helps.
 */
export function SectionHeading({ id, title, text, picture, link }: SectionHeadingProps) {
  return (
    <div className={styles.root}>
      {picture ? (
        <img src={picture} alt="" loading="lazy" className={`el-no-print ${styles.picture}`} />
      ) : null}
      <h2 id={id} className={styles.title} dir="auto">
        {title}
      </h2>
      {text ? (
        <p className={styles.text} dir="auto">
          {text}
        </p>
      ) : null}
      {link ? (
        <ButtonLink href={link.href} look="text" arrow>
          {link.title}
        </ButtonLink>
      ) : null}
    </div>
  );
}
