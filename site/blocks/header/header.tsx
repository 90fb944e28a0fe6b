import type { ComponentType } from 'react';
import type { BlockProps } from '../../../shared/content/landing.ts';
import { linkButton } from '../../../shared/ui/button.tsx';
import { contentText } from '../../../shared/ui/content-text.tsx';
import { HeadingEnd } from '../../../shared/ui/heading-end.tsx';
import { type LateView, lateView } from '../../../shared/ui/rendering/late-view.tsx';
import { ServedElement } from '../../../shared/ui/rendering/served-element.tsx';
import type { HeaderKind } from './header.block.ts';
import styles from './header.module.css';
import type { HeaderData, HeaderViewProps } from './header-data.ts';

const objectView = lateView<HeaderViewProps>(() => import('./object/object-header.late.tsx'));

/** The view of each kind. A late view loads its code and styles for the pages that show it. */
const views: { readonly [Kind in HeaderKind]: ComponentType<HeaderViewProps> | LateView<HeaderViewProps> } = {
  ticket: lateView(() => import('./ticket/ticket-header.late.tsx')),
  picture: objectView,
  film: objectView,
  figures: objectView,
  map: lateView(() => import('./map/map-header.late.tsx')),
  plain: PlainHeader,
};

/** The longest title that fits into one line in the largest letters. */
const SHORT = 22;

export async function loadHeader(data: object | undefined): Promise<void> {
  const view = data && views[(data as HeaderData).kind];
  if (view && 'load' in view) await view.load();
}

export default function Header({ data }: BlockProps<HeaderData>) {
  const View = views[data.kind];
  return (
    <ServedElement as="section" source={data} className={styles.root}>
      <View data={data} texts={<HeaderTexts data={data} />} />
    </ServedElement>
  );
}

/** A short title is as wide as the window. A longer one has the size that its longest word needs. */
function PlainHeader({ data, texts }: HeaderViewProps) {
  const length = data.title.length <= SHORT ? styles.short : '';
  return <div className={`el-frame ${styles.plain} ${length}`}>{texts}</div>;
}

function HeaderTexts({ data: { eyebrow, title, text, primary, secondary, icons } }: { data: HeaderData }) {
  return (
    <div className={styles.text}>
      {contentText(eyebrow, styles.eyebrow)}
      <h1 id="hero-title" className={styles.title} dir="auto" tabIndex={-1}>
        {title}
      </h1>
      <HeadingEnd />
      {contentText(text, styles.lead)}
      {primary || secondary ? (
        <div className={styles.actions}>
          {linkButton(primary)}
          {linkButton(secondary, 'outline')}
        </div>
      ) : null}
      {icons.length > 0 ? (
        <ul className={styles.icons}>
          {icons.map(({ src, caption, alt }) => (
            <li key={src} className={styles.mark}>
              <img src={src} alt={caption ? '' : alt} height={36} loading="lazy" className={styles.icon} />
              {caption}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
