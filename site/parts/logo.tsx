import type { Shell, SizedFile } from '../../shared/payload/shell.ts';
import drawings from '../brand/logo.svg';
import styles from './logo.module.css';

export interface LogoProps {
  name: string;
  /** The logo of the settings, in place of the brand's. */
  logo: Shell['logo'];
}

/** The logo, with the site's name beside it unless the drawing has the name. */
export function Logo({ name, logo }: LogoProps) {
  const { hasName } = logo ?? drawings;
  const img = (file: SizedFile) => <img {...file} alt={hasName ? name : ''} />;
  const isOne = logo?.light.src === logo?.dark.src;
  const { light, dark } = logo ? { light: img(logo.light), dark: isOne ? null : img(logo.dark) } : drawings;
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
