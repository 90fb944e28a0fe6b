import type { SyntheticEvent } from 'react';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { Icon } from '../../../shared/ui/icon.tsx';
import { SearchForm } from '../../parts/forms/search-form.tsx';
import styles from './header-search.module.css';
import { useDropdowns } from './use-dropdowns.ts';

/** The search as a `<details>`, which opens without JavaScript. */
export function HeaderSearch() {
  const labels = useLabels();
  const ref = useDropdowns<HTMLDivElement>();

  function focusField({ currentTarget }: SyntheticEvent<HTMLDetailsElement>): void {
    if (currentTarget.open) currentTarget.querySelector('input')?.focus();
  }

  return (
    <div ref={ref} className={styles.root}>
      <details name="navigation" onToggle={focusField}>
        <summary className={styles.button} aria-label={labels.text('search')}>
          <Icon name="search" />
        </summary>
        <div className={styles.panel}>
          <div className="el-frame">
            <SearchForm />
          </div>
        </div>
      </details>
    </div>
  );
}
