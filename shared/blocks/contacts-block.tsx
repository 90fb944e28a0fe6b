import { useLabels } from '../labels/labels-context.ts';
import type { ContactsData } from '../payload/payload.ts';
import { Icon } from '../ui/icon.tsx';
import { ServedElement } from '../ui/served-element.tsx';
import { ContactForm } from './contact-form.tsx';
import styles from './contacts-block.module.css';
import { SectionHeading } from './section-heading.tsx';

/** The contacts section: a form, a list of checkmarks, and the addresses. */
export function ContactsBlock({ contacts }: { contacts: ContactsData }) {
  const labels = useLabels();
  const { block, checkmarks } = contacts;
  return (
    <section id="contacts" className="el-section" aria-labelledby="contacts-title">
      <div className={`el-frame ${styles.root}`}>
        <ServedElement as="div" source={contacts} className={styles.intro}>
          <SectionHeading
            id="contacts-title"
            title={block.title ?? labels.text('contacts')}
            text={block.text}
          />
          {checkmarks.length > 0 ? (
            <ul className={styles.checkmarks}>
              {checkmarks.map(checkmark => (
                <li key={checkmark} className={styles.checkmark}>
                  <Icon name="check" className={styles.check} />
                  {checkmark}
                </li>
              ))}
            </ul>
          ) : null}
          {block.email || block.phone || block.address ? (
            <address className={styles.addresses}>
              {block.email ? (
                <a href={`mailto:${block.email}`} className={styles.link}>
                  {block.email}
                </a>
              ) : null}
              {block.phone ? (
                <a href={`tel:${block.phone.replace(/[^+\d]/g, '')}`} className={styles.link}>
                  {block.phone}
                </a>
              ) : null}
              {block.address ? (
                <p className={styles.postal} dir="auto">
                  {block.address}
                </p>
              ) : null}
            </address>
          ) : null}
        </ServedElement>
        <div className={styles.card}>
          <ContactForm />
        </div>
      </div>
    </section>
  );
}
