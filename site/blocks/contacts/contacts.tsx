import type { ReactNode } from 'react';
import type { BlockData, BlockProps } from '../../../shared/content/landing.ts';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { contentText } from '../../../shared/ui/content-text.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import { ServedElement } from '../../../shared/ui/rendering/served-element.tsx';
import { ContactForm } from '../../parts/forms/contact-form.tsx';
import { SectionHeading } from '../../parts/section-heading.tsx';
import type { contacts } from './contacts.block.ts';
import styles from './contacts.module.css';

interface ContactsProps extends BlockProps<BlockData<typeof contacts>> {
  /** Shown below the thanks for a message. */
  sent?: ReactNode;
  children?: ReactNode;
}

export default function Contacts({ data, id = 'contacts', sent, children }: ContactsProps) {
  const labels = useLabels();
  const { title, text, picture, email, phone, address, topics, checkmarks } = data;
  return (
    <section id={id} className="el-section el-bleed">
      <div className={`el-frame ${styles.root}`}>
        <ServedElement as="div" source={data} className={styles.intro}>
          <SectionHeading
            id={`${id}-title`}
            title={title ?? labels.text('contacts')}
            text={text}
            picture={picture}
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
          {email || phone || address ? (
            <address className={styles.addresses}>
              {email ? (
                <a href={`mailto:${email}`} className={styles.link}>
                  {email}
                </a>
              ) : null}
              {phone ? (
                <a href={`tel:${phone.replace(/[^+\d]/g, '')}`} className={styles.link}>
                  {phone}
                </a>
              ) : null}
              {contentText(address, styles.postal)}
            </address>
          ) : null}
          {children}
        </ServedElement>
        <div className={styles.card}>
          <ContactForm topics={topics} sent={sent} />
        </div>
      </div>
    </section>
  );
}
