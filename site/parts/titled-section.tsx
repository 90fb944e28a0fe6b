import type { ReactNode } from 'react';
import styles, { stylesheet as headingStyles } from './titled-section.late.module.css';

interface TitledSectionProps {
  id: string;
  title: string | null;
  text: string | null;
  /** The address of the block's own stylesheet. */
  stylesheet: string;
  className: string | undefined;
  /** Whether the section is an inverted band. */
  isBand?: boolean;
  children: ReactNode;
}

/** The section of a block with a stylesheet of its own. */
export function TitledSection(props: TitledSectionProps) {
  const { id, title, text, stylesheet, className, isBand = false, children } = props;
  const titleId = `${id}-title`;
  return (
    <section
      className={isBand ? 'el-section el-band' : 'el-section'}
      {...(title ? { 'aria-labelledby': titleId } : {})}
    >
      <link rel="stylesheet" href={headingStyles} precedence="late" />
      <link rel="stylesheet" href={stylesheet} precedence="late" />
      <div className={`el-frame ${className}`}>
        {title || text ? (
          <div className={styles.root}>
            {title ? (
              <h2 id={titleId} className={styles.title} dir="auto">
                {title}
              </h2>
            ) : null}
            {text ? (
              <p className={styles.text} dir="auto">
                {text}
              </p>
            ) : null}
          </div>
        ) : null}
        {children}
      </div>
    </section>
  );
}
