import type { BlockData, BlockProps } from '../../../shared/content/landing.ts';
import { Icon } from '../../../shared/ui/icon.tsx';
import { TitledSection } from '../../parts/titled-section.tsx';
import type { download } from './download.block.ts';
import styles, { stylesheet } from './download.late.module.css';

export { stylesheet };

function partsOf(src: string): readonly [name: string, ending: string] {
  const file = src.replace(/[?#].*$/, '').replace(/^.*\//, '');
  const dot = file.lastIndexOf('.');
  return dot < 1 ? [file, ''] : [file.slice(0, dot), file.slice(dot + 1)];
}

export default function Download({ data, id = 'download' }: BlockProps<BlockData<typeof download>>) {
  const { files, ...heading } = data;
  return (
    <TitledSection id={id} {...heading} stylesheet={stylesheet}>
      <ul className={styles.list}>
        {files.map(({ src, caption, alt }) => {
          const [name, ending] = partsOf(src);
          return (
            <li key={src}>
              <a href={src} download className={styles.file}>
                <span dir="auto">{caption || alt || name}</span>
                <span className={styles.ending}>{ending}</span>
                <Icon name="arrow" className={styles.arrow} />
              </a>
            </li>
          );
        })}
      </ul>
    </TitledSection>
  );
}
