import type { SearchPageData } from '../../../shared/payload/search-data.ts';
import { DateText } from '../../../shared/ui/date-text.tsx';
import { Link } from '../../../shared/ui/link.tsx';
import { MarkedTextParts } from '../../../shared/ui/marked-text.tsx';
import { Pagination } from '../../../shared/ui/pagination.tsx';
import { ArticleGrid } from '../../parts/articles/article-grid.tsx';
import { SearchForm } from '../../parts/forms/search-form.tsx';
import { PageIntro } from '../../parts/page-intro.tsx';
import styles from './search.module.css';
import { searchAddress } from './search-address.ts';
// Import this module for its chunk, which also has other parts of this page.
import '../../parts/articles/article-list-page.tsx';

export default function SearchPage({ data }: { data: SearchPageData }) {
  const { query, kind, category, page, pageCount, results, status, newest, ways, words } = data;
  return (
    <div className={`el-frame ${styles.root}`}>
      <PageIntro title={words.title} text={query === '' ? words.hint : null} />
      <div className={styles.form}>
        <SearchForm query={query}>
          <Filters data={data} />
        </SearchForm>
      </div>
      <div role="status" className={styles.status}>
        {status.map(sentence => (
          <p key={sentence} dir="auto">
            {sentence}
          </p>
        ))}
      </div>
      <OtherQueries data={data} />
      {results.length > 0 ? (
        <ol className={styles.results}>
          {results.map(({ href, title, snippet, label, date }) => (
            <li key={href} className={styles.result}>
              <p className={styles.meta}>
                <span>{label}</span>
                {date === null ? null : <DateText date={date} />}
              </p>
              <h2 className={styles.title} dir="auto">
                <Link href={href} className="el-covering">
                  <MarkedTextParts text={title} />
                </Link>
              </h2>
              <p className={styles.snippet} dir="auto">
                <MarkedTextParts text={snippet} />
              </p>
            </li>
          ))}
        </ol>
      ) : null}
      <Pagination
        page={page}
        pageCount={pageCount}
        hrefOf={other => searchAddress(query, { kind, category, page: other })}
        label={words.pages}
        steps={[words.previous, words.next]}
      />
      {ways.length > 0 ? (
        <div className={styles.ways}>
          {ways.map(({ title, links }) => (
            <div key={title}>
              <h2 className={styles.way}>{title}</h2>
              <ul>
                {links.map(link => (
                  <li key={link.href}>
                    <Link href={link.href} className={styles.other}>
                      {link.title}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      ) : null}
      {newest.length > 0 ? (
        <section aria-labelledby="newest-title" className={styles.newest}>
          <h2 id="newest-title" className={styles.heading}>
            {words.newest}
          </h2>
          <ArticleGrid articles={newest} heading="h3" />
        </section>
      ) : null}
    </div>
  );
}

/** The filters as parts of the form, so that they work without JavaScript. */
function Filters({ data: { query, kind, category, filters } }: { data: SearchPageData }) {
  return (
    // A new key resets the fields to the choices of the new results.
    <div className={styles.filters} key={searchAddress(query, { kind, category })}>
      {filters.map(({ name, label, chosen, choices }) => (
        <label key={name} className={styles.filter}>
          {label}
          <select name={name} defaultValue={chosen} className={styles.select}>
            {choices.map(choice => (
              <option key={choice.value} value={choice.value}>
                {choice.label}
              </option>
            ))}
          </select>
        </label>
      ))}
    </div>
  );
}

/** Alternatives for an empty answer: the nearest words, and the query for all kinds of pages. */
function OtherQueries({ data: { query, results, nearest, words } }: { data: SearchPageData }) {
  if (query === '' || results.length > 0) return null;
  return (
    <div className={styles.others}>
      {nearest.length > 0 ? (
        <p>
          {words.nearest}{' '}
          {nearest.map(word => (
            <Link key={word} href={searchAddress(word)} className={styles.other}>
              {word}
            </Link>
          ))}
        </p>
      ) : null}
      {words.wider === null ? null : (
        <p>
          <Link href={searchAddress(query)} className={styles.other}>
            {words.wider}
          </Link>
        </p>
      )}
    </div>
  );
}
