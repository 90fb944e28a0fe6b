import type { HomeData } from '../payload/payload.ts';
import { ButtonLink } from '../ui/button.tsx';
import { ServedElement } from '../ui/served-element.tsx';
import { CorridorMap } from './corridor-map.tsx';
import styles from './hero-block.module.css';

interface HeroBlockProps {
  h1: string;
  header: NonNullable<HomeData['header']>;
}

/** The first block: one sentence about the company, two links, and the map. */
export function HeroBlock({ h1, header }: HeroBlockProps) {
  const { eyebrow, title, text, primary, secondary, icons, map } = header;
  return (
    <ServedElement as="section" source={header} className={styles.root} aria-labelledby="hero-title">
      <div className={`el-frame ${styles.frame}`}>
        <div className={styles.text}>
          {eyebrow ? (
            <p className={styles.eyebrow} dir="auto">
              {eyebrow}
            </p>
          ) : null}
          <h1 id="hero-title" className={styles.title} dir="auto" tabIndex={-1}>
            {title ?? h1}
          </h1>
          {text ? (
            <p className={styles.lead} dir="auto">
              {text}
            </p>
          ) : null}
          {primary || secondary ? (
            <div className={styles.actions}>
              {primary ? (
                <ButtonLink href={primary.href} arrow>
                  {primary.title}
                </ButtonLink>
              ) : null}
              {secondary ? (
                <ButtonLink href={secondary.href} look="outline">
                  {secondary.title}
                </ButtonLink>
              ) : null}
            </div>
          ) : null}
          {icons.length > 0 ? (
            <ul className={styles.icons}>
              {icons.map(({ src, caption, alt }) => (
                <li key={src} className={styles.mark}>
                  <img
                    src={src}
                    alt={caption ? '' : alt}
                    height={36}
                    loading="lazy"
                    className={styles.icon}
                  />
                  {caption}
                </li>
              ))}
            </ul>
          ) : null}
        </div>
        <div className={styles.map}>
          <CorridorMap map={map} />
        </div>
      </div>
    </ServedElement>
  );
}
