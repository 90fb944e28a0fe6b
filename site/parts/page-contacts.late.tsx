import type { BlockProps } from '../../shared/content/landing.ts';
import { useLabels } from '../../shared/labels/labels-context.ts';
import { Link } from '../../shared/ui/link.tsx';
import { Picture } from '../../shared/ui/picture.tsx';
import Contacts from '../blocks/contacts/contacts.tsx';
import type { PageContacts } from './entry-data.ts';
import styles from './page-contacts.module.css';

export default function PageContactsView({ data }: BlockProps<PageContacts>) {
  return (
    <div className={styles.contacts}>
      <Contacts data={data.block} isLast={false} sent={<AfterSending {...data} />}>
        <Person {...data} />
      </Contacts>
    </div>
  );
}

function Person({ person }: PageContacts) {
  return (
    person && (
      <div className={styles.person}>
        {person.image ? (
          <Picture image={person.image} alt="" sizes="64px" className={styles.portrait} />
        ) : null}
        <p dir="auto">
          <strong>{person.name}</strong>
          {[person.position, person.hours].filter(Boolean).map(line => (
            <span key={line} className={styles.line}>
              {line}
            </span>
          ))}
        </p>
      </div>
    )
  );
}

function AfterSending(contacts: PageContacts) {
  const { afterSending, readings } = contacts;
  const labels = useLabels();
  return (
    <div className={styles.after}>
      {afterSending ? <p dir="auto">{afterSending}</p> : null}
      <Person {...contacts} />
      {readings.length > 0 ? (
        <>
          <p>{labels.text('readOn')}</p>
          <ul>
            {readings.map(({ title, href }) => (
              <li key={href}>
                <Link href={href}>{title}</Link>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  );
}
