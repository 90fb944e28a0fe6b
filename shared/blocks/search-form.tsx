import type { ReactNode } from 'react';
import { useLabels } from '../labels/labels-context.ts';
import { Button } from '../ui/button.tsx';
import styles from './search-form.module.css';

/**
 * The form of the search. It works without JavaScript; `client/search-suggestions.ts` adds a list of suggestions to a field with `data-suggest`, in
 * the empty element after it.
 *
 * @param query the text in the field.
 * @param children further fields.
 */
export function SearchForm({ query, children }: { query?: string; children?: ReactNode }) {
  const labels = useLabels();
  const label = labels.text('searchSite');
  return (
    <search>
      <form action="/search" className={styles.root}>
        <div className={styles.row}>
          <div>
            <input
              // Another query has a field of its own.
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
