import drawings from '../brand/logo.svg';
import styles from './logo.module.css';

/** The logo of the brand, with the site's name beside it unless the drawing has the name. */
export function Logo({ name }: { name: string }) {
  const { light, dark, hasName } = drawings;
  return (
    <span className={styles.root}>
      <span className={dark ? `${styles.drawing} ${styles.light}` : styles.drawing} aria-hidden="true">
        {light}
      </span>
      {dark ? (
        <span className={`${styles.drawing} ${styles.dark}`} aria-hidden="true">
          {dark}
        </span>
      ) : null}
      <span className={hasName ? 'el-visually-hidden' : styles.name}>{name}</span>
    </span>
  );
}
