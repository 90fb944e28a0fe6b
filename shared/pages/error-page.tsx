import { type MouseEvent, useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { SearchForm } from '../blocks/search-form.tsx';
import { useLabels } from '../labels/labels-context.ts';
import { pageErrorTitle } from '../payload/http-error.ts';
import type { PageError } from '../payload/payload.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Link } from '../ui/link.tsx';
import styles from './error-page.module.css';

/**
 * The error in one sentence, a link home and, unless the page is missing, a way to try again.
 * @param path the address that failed. Trying again loads it in full, or repeats the navigation if the page is hydrated.
 */
export default function ErrorPage({ error, path }: { error: PageError; path: string }) {
  const { statusCode, statusMessage, message, requestId, suggestions = [] } = error;
  const labels = useLabels();
  const title = pageErrorTitle(error, labels);
  const navigate = useNavigate();
  // Another try finds no page where there is none.
  const isMissing = statusCode === 404 || statusCode === 410;
  const retryable = error.requestId === undefined && statusCode >= 500;

  useEffect(() => {
    if (!error.offline) return;
    const again = () => void navigate(path, { replace: true });
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [error.offline, navigate, path]);

  function retry(event: MouseEvent): void {
    if (!retryable || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    // Navigate instead of revalidating: a navigation also updates the title and the focus, and shows the loading bar.
    void navigate(path, { replace: true });
  }

  return (
    <div className={`el-frame ${styles.root}`}>
      {error.offline ? null : (
        <p className={styles.code}>
          {statusCode}
          {statusMessage && statusMessage !== title ? (
            <>
              {' '}
              <span className={styles.status}>{statusMessage}</span>
            </>
          ) : null}
        </p>
      )}
      <div className={styles.text}>
        <h1 tabIndex={-1} className={styles.title}>
          {title}
        </h1>
        <p className={styles.message}>{message}</p>
        {requestId ? (
          <p className={styles.request}>
            {labels.text('request')} <code>{requestId}</code>
          </p>
        ) : null}
        <div className={styles.actions}>
          <ButtonLink href="/">{labels.text('backToStart')}</ButtonLink>
          {isMissing ? null : (
            <a href={path} className={styles.retry} onClick={retry} data-full-load="">
              {labels.text('tryAgain')}
            </a>
          )}
        </div>
        <div className={styles.search}>
          <SearchForm />
        </div>
        {suggestions.length > 0 ? (
          <nav aria-labelledby="suggestions-title" className={styles.suggestions}>
            <h2 id="suggestions-title" className={styles.heading}>
              {labels.text('suggestions')}
            </h2>
            <ul>
              {suggestions.map(link => (
                <li key={link.href}>
                  <Link href={link.href} className={styles.link}>
                    {link.title}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        ) : null}
      </div>
    </div>
  );
}
