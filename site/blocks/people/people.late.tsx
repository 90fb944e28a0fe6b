import type { BlockData, BlockProps } from '../../../shared/content/landing.ts';
import { contentText } from '../../../shared/ui/content-text.tsx';
import { Link } from '../../../shared/ui/link.tsx';
import { Picture } from '../../../shared/ui/picture.tsx';
import { TitledSection } from '../../parts/titled-section.tsx';
import type { people } from './people.block.ts';
import styles, { stylesheet } from './people.late.module.css';

export { stylesheet };

export default function People({ data, id = 'people' }: BlockProps<BlockData<typeof people>>) {
  const { items, ...heading } = data;
  const Name = data.title ? 'h3' : 'h2';
  return (
    <TitledSection id={id} {...heading} stylesheet={stylesheet}>
      <ul className={styles.list}>
        {items.map(({ name, position, text, picture, href }) => (
          <li key={name} className={styles.person}>
            {picture ? (
              <Picture image={picture} alt="" sizes="96px" className={styles.portrait} />
            ) : (
              <span className={styles.portrait} aria-hidden="true">
                {[...name][0]}
              </span>
            )}
            <Name className={styles.name} dir="auto">
              {href ? <Link href={href}>{name}</Link> : name}
            </Name>
            {contentText(position, styles.position)}
            {contentText(text, styles.text)}
          </li>
        ))}
      </ul>
    </TitledSection>
  );
}
