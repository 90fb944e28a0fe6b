import type { ReactNode } from 'react';
import { contentText } from '../../shared/ui/content-text.tsx';

interface TitledSectionProps {
  id: string;
  title: string | null;
  text: string | null;
  /** The address of the block's own stylesheet. */
  stylesheet: string;
  /** The layout of heading and contents, which otherwise stand one below the other. */
  className?: string | undefined;
  isBand?: boolean;
  children: ReactNode;
}

/** A section with a heading that looks like `SectionHeading`, without loading the chunk of that component. */
export function TitledSection(props: TitledSectionProps) {
  const { id, title, text, stylesheet, className = '', isBand = false, children } = props;
  return (
    <section className={isBand ? 'el-section el-band' : 'el-section'}>
      <link rel="stylesheet" href={stylesheet} precedence="late" />
      <div className={`el-frame el-stack ${className}`}>
        {title || text ? (
          <div className="el-section-heading">
            {title ? (
              <h2 id={`${id}-title`} className="el-section-heading__title" dir="auto">
                {title}
              </h2>
            ) : null}
            {contentText(text, 'el-section-heading__text')}
          </div>
        ) : null}
        {children}
      </div>
    </section>
  );
}
