import { ButtonLink } from '../../shared/ui/button.tsx';
import styles from './empty-note.module.css';

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
