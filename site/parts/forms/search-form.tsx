import type { ReactNode } from 'react';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { Button } from '../../../shared/ui/button.tsx';
import styles from './search-form.module.css';

/** Works without JavaScript. `enhancements/search-suggestions.ts` adds suggestions to the empty element. */
export function SearchForm({ query, children }: { query?: string; children?: ReactNode }) {
  const labels = useLabels();
  const label = labels.text('searchSite');
  return (
    <search>
      <form action="/search" className={styles.root}>
        <div className={styles.row}>
          <div>
            <input
              // A new key resets the field to the new query.
              key={query}
              type="search"
              name="q"
              defaultValue={query}
              aria-label={label}
              placeholder={label}
              required
              autoComplete="off"
              dir="auto"
              data-suggest=""
              className={styles.input}
            />
            <div />
          </div>
          <Button type="submit">{labels.text('search')}</Button>
        </div>
        {children}
      </form>
    </search>
  );
}
