import { pathTo } from '../../shared/routing/routes.ts';
import { contentText } from '../../shared/ui/content-text.tsx';
import { Icon } from '../../shared/ui/icon.tsx';
import { Link } from '../../shared/ui/link.tsx';
import { Picture } from '../../shared/ui/picture.tsx';
import { ServedElement } from '../../shared/ui/rendering/served-element.tsx';
import type { ListedEntries } from './entry-data.ts';
import styles from './entry-list.module.css';

interface EntryListProps {
  entries: ListedEntries;
  heading?: 'h2' | 'h3';
}

export function EntryList({ entries, heading: Heading = 'h2' }: EntryListProps) {
  if (entries.items.length === 0) return null;
  return (
    <ServedElement as="ul" source={entries} className={styles.root}>
      {entries.items.map(entry => (
        <li key={entry.id} className={styles.item}>
          {entry.cover ? (
            <Picture
              image={entry.cover}
              alt=""
              sizes="(width >= 48rem) 16rem, 92vw"
              className={styles.picture}
            />
          ) : null}
          <div className={styles.body}>
            <Heading className={styles.title} dir="auto">
              <Link href={pathTo(entries.route, { slug: entry.slug })} className="el-covering">
                {entry.title}
              </Link>
            </Heading>
            {contentText(entry.description, styles.text)}
          </div>
          <Icon name="arrow" className={styles.arrow} />
        </li>
      ))}
    </ServedElement>
  );
}
