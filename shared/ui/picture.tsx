import { type Image, RENDITION_FORMATS, renditionSet } from '../content/image.ts';
import styles from './picture.module.css';

interface PictureProps {
  image: Image;
  sizes: string;
  /** Set for the largest picture above the fold, which is fetched first. */
  priority?: boolean;
  /** Whether the picture may exceed its own width. False in a text. */
  fills?: boolean;
  /** The alternative text; empty beside a text that says the same. */
  alt?: string;
  className?: string | undefined;
  id?: string;
  title?: string;
}

function sourceSet({ src, width, formats }: Image): string | undefined {
  if (formats.length === 0 || width === null) return undefined;
  return [...formats, { src, width }].map(format => `${format.src} ${format.width}w`).join(', ');
}

export function Picture({
  image,
  sizes,
  priority = false,
  fills = true,
  alt = image.alt,
  className,
  ...rest
}: PictureProps) {
  const srcSet = sourceSet(image);
  const size =
    image.width !== null && image.height !== null ? { width: image.width, height: image.height } : {};
  const picture = (
    <img
      {...rest}
      className={[styles.root, fills && styles.fills, className].filter(Boolean).join(' ')}
      {...(srcSet ? { srcSet, sizes } : {})}
      src={image.src}
      alt={alt}
      data-focus={image.focus}
      {...size}
      {...(priority ? { fetchPriority: 'high' } : { loading: 'lazy', decoding: 'async' })}
    />
  );
  if (!image.scaled) return picture;
  return (
    <picture className={styles.renditions}>
      {RENDITION_FORMATS.map(format => (
        <source key={format} type={`image/${format}`} srcSet={renditionSet(image, format)} sizes={sizes} />
      ))}
      {picture}
    </picture>
  );
}
