import type { ReactNode } from 'react';

/**
 * @returns a text in the direction of its own letters; null without one. This is a function, because a
 *   component would cost one more render.
 */
export function contentText(
  text: string | null | undefined,
  className: string | undefined,
  Tag: 'p' | 'span' | 'h2' | 'h3' = 'p',
): ReactNode {
  return text ? (
    <Tag className={className} dir="auto">
      {text}
    </Tag>
  ) : null;
}
