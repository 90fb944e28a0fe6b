import { type ComponentType, createContext, lazy, use } from 'react';
import type { RichText as RichTextTree } from '../content/rich-text.ts';
import type { RichNodesProps } from './rich-nodes.tsx';
import styles from './rich-text.module.css';
import { ServedElement } from './served-element.tsx';

/**
 * The component that renders the nodes of a text. A browser keeps those of its first page as the server has sent them, so it loads the
 * component with the first navigation (`client/navigate.ts`). The server provides it, because nothing may suspend there.
 */
export const RichNodesContext = createContext<ComponentType<RichNodesProps>>(
  /* @__PURE__ */ lazy(() => import('./rich-nodes.tsx')),
);

interface RichTextProps {
  content: RichTextTree;
  /** The title that this text belongs to, on a page with several texts. It keeps the names of their tables apart. */
  partOf?: string;
  className?: string | undefined;
}

/** Rich text of the content, in one column of readable width. */
export function RichText({ content, partOf, className }: RichTextProps) {
  const Nodes = use(RichNodesContext);
  const classes = [styles.root, className].filter(Boolean).join(' ');
  return (
    <ServedElement as="div" source={content} className={classes} dir="auto">
      <Nodes content={content} partOf={partOf} />
    </ServedElement>
  );
}
