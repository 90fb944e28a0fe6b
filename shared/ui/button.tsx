import type { ButtonHTMLAttributes, ReactNode } from 'react';
import type { ContentLink } from '../content/links.ts';
import styles from './button.module.css';
import { Icon } from './icon.tsx';
import { Link } from './link.tsx';

type Look = 'solid' | 'outline' | 'text';

interface LinkLook {
  href: string;
  look?: Look;
  arrow?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

function classesOf(look: Look, className: string | undefined): string {
  return [styles.root, styles[look], className].filter(Boolean).join(' ');
}

export function ButtonLink({ href, look = 'solid', arrow = false, className, children }: LinkLook) {
  return (
    <Link href={href} className={classesOf(look, className)}>
      {children}
      {arrow ? <Icon name="arrow" className={styles.arrow} /> : null}
    </Link>
  );
}

/** @returns a link of the content as a button; null without one. The second of two buttons has no arrow. */
export function linkButton(link: ContentLink | null | undefined, look: Look = 'solid'): ReactNode {
  return link ? (
    <ButtonLink href={link.href} look={look} arrow={look !== 'outline'}>
      {link.title}
    </ButtonLink>
  ) : null;
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: Look;
}

export function Button({ look = 'solid', className, type = 'button', children, ...rest }: ButtonProps) {
  return (
    <button type={type} className={classesOf(look, className)} {...rest}>
      {children}
    </button>
  );
}
