import type { BlockData, BlockProps } from '../../../shared/content/landing.ts';
import { ButtonLink } from '../../../shared/ui/button.tsx';
import { ServedElement } from '../../../shared/ui/rendering/served-element.tsx';
import { CorridorMap, type CorridorMapData } from './corridor-map.tsx';
import type { header } from './header.block.ts';
import styles from './header.module.css';

export interface HeaderData extends BlockData<typeof header> {
  /** The heading of the page. */
  title: string;
  map: CorridorMapData;
}

export default function Header({ data }: BlockProps<HeaderData>) {
  const { eyebrow, title, text, primary, secondary, icons, map } = data;
  return (
    <ServedElement as="section" source={data} className={styles.root} aria-labelledby="hero-title">
      <div className={`el-frame ${styles.frame}`}>
        <div className={styles.text}>
          {eyebrow ? (
            <p className={styles.eyebrow} dir="auto">
              {eyebrow}
            </p>
          ) : null}
          <h1 id="hero-title" className={styles.title} dir="auto" tabIndex={-1}>
            {title}
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
