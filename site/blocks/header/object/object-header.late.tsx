import { Picture } from '../../../../shared/ui/picture.tsx';
import type { HeaderData, HeaderViewProps } from '../header-data.ts';
import styles, { stylesheet } from './object-header.late.module.css';

export { stylesheet };

export default function ObjectHeader({ data, texts }: HeaderViewProps) {
  const { kind, picture } = data;
  return (
    <>
      <link rel="stylesheet" href={stylesheet} precedence="late" />
      <div className={`el-frame ${styles.frame}`}>
        {texts}
        {kind === 'film' ? <Film data={data} /> : null}
        {kind === 'figures' ? <Figures figures={data.figures} /> : null}
        {kind === 'picture' && picture ? (
          <Picture image={picture} sizes="(width >= 60rem) 57vw, 100vw" priority className={styles.picture} />
        ) : null}
      </div>
    </>
  );
}

/** A video that plays only when the visitor starts it. Without a poster it shows its first frame. */
function Film({ data: { film, poster, captions } }: { data: HeaderData }) {
  return (
    <video
      className={`el-no-print ${styles.film}`}
      src={film ?? ''}
      {...(poster ? { ...poster, preload: 'none' } : { preload: 'metadata' })}
      controls
      playsInline
      aria-labelledby="hero-title"
    >
      {captions ? <track kind="captions" src={captions} /> : null}
    </video>
  );
}

function Figures({ figures }: Pick<HeaderData, 'figures'>) {
  return (
    <dl className={styles.figures}>
      {figures.map(({ title, text }) => (
        <div key={title} className={styles.figure}>
          <dt className={styles.label} dir="auto">
            {title}
          </dt>
          <dd className={styles.value} dir="auto">
            {text}
          </dd>
        </div>
      ))}
    </dl>
  );
}
