import { type ComponentType, useEffect, useState } from 'react';
import type { ShareButtonsProps } from './share-buttons.late.tsx';
import styles from './share-links.module.css';

/** Buttons to share a page. They need the page's origin, so they and their code come after hydration. */
export function ShareLinks({ title }: { title: string }) {
  const [Buttons, show] = useState<ComponentType<ShareButtonsProps> | null>(null);
  useEffect(() => {
    // An article without these buttons is whole, so their failure changes nothing.
    import('./share-buttons.late.tsx').then(
      late => show(() => late.default),
      () => {},
    );
  }, []);
  return (
    <div className={`${styles.root} el-no-print`}>
      {Buttons ? <Buttons title={title} className={styles.action} /> : null}
    </div>
  );
}
