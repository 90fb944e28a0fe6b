import { type ComponentType, createContext, lazy, use } from 'react';
import type { RichText as RichTextTree } from '../../content/rich-text.ts';
import { ServedElement } from '../rendering/served-element.tsx';
import type { RichNodesProps } from './rich-nodes.tsx';
import styles from './rich-text.module.css';

/**
 * Renders the nodes of a text. A browser keeps those of its first page, so it loads this component with the
 * first navigation. The server provides it, because nothing may suspend there.
 */
export const RichNodesContext = createContext<ComponentType<RichNodesProps>>(
  /* @__PURE__ */ lazy(() => import('./rich-nodes.tsx')),
);

interface RichTextProps {
  content: RichTextTree;
  /** The title of this text if a page has several, to distinguish the names of their tables. */
  partOf?: string;
  className?: string | undefined;
}

export function RichText({ content, partOf, className }: RichTextProps) {
  const Nodes = use(RichNodesContext);
  const classes = [styles.root, className].filter(Boolean).join(' ');
  return (
    <ServedElement as="div" source={content} className={classes} dir="auto">
      <Nodes content={content} partOf={partOf} />
    </ServedElement>
  );
}
