import { ButtonLink } from '../ui/button.tsx';
import styles from './empty-note.module.css';

/** Replaces an empty list: a sentence that says why, and a link. */
export function EmptyNote({ text, href, link }: { text: string; href: string; link: string }) {
  return (
    <div className={styles.root}>
      <p>{text}</p>
      <ButtonLink href={href} look="outline">
        {link}
      </ButtonLink>
    </div>
  );
}
