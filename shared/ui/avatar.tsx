import type { Image } from '../content/image.ts';
import styles from './avatar.module.css';
import { Picture } from './picture.tsx';

/** A portrait, or initials. It is decoration, because the name is beside it. */
export function Avatar({ name, image }: { name: string; image: Image | null }) {
  if (image) return <Picture image={image} alt="" sizes="48px" className={styles.root} />;
  const words = name.split(/\s+/).filter(Boolean);
  const initials = [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map(word => [...(word ?? '')][0] ?? '')
    // Keep Arabic initials from joining.
    .join('\u200c');
  return (
    <span className={`${styles.root} ${styles.initials}`} aria-hidden="true">
      {initials}
    </span>
  );
}
