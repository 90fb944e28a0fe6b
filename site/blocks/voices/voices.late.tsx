import type { BlockData, BlockProps } from '../../../shared/content/landing.ts';
import { contentText } from '../../../shared/ui/content-text.tsx';
import { Picture } from '../../../shared/ui/picture.tsx';
import { TitledSection } from '../../parts/titled-section.tsx';
import type { voices } from './voices.block.ts';
import styles, { stylesheet } from './voices.late.module.css';

export { stylesheet };

export default function Voices({ data, id = 'voices' }: BlockProps<BlockData<typeof voices>>) {
  const { items, ...heading } = data;
  return (
    <TitledSection id={id} {...heading} stylesheet={stylesheet}>
      <ul className={styles.list}>
        {items.map(({ words, name, position, picture, figure }) => (
          <li key={`${name} ${words}`}>
            <figure className={styles.voice}>
              {contentText(figure, styles.figure)}
              <blockquote className={styles.words} dir="auto">
                {words}
              </blockquote>
              <figcaption className={styles.person}>
                {picture ? <Picture image={picture} alt="" sizes="64px" className={styles.picture} /> : null}
                <span dir="auto">
                  <strong>{name}</strong>
                  {position ? <span className={styles.position}>{position}</span> : null}
                </span>
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </TitledSection>
  );
}
