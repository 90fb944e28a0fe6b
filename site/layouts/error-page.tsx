import { type MouseEvent, useEffect } from 'react';
import { useLabels } from '../../shared/labels/labels-context.ts';
import type { PageError } from '../../shared/payload/http-error.ts';
import { pageErrorTitle } from '../../shared/payload/http-error.ts';
import { useNavigate } from '../../shared/routing/router.ts';
import { ButtonLink } from '../../shared/ui/button.tsx';
import { HeadingEnd } from '../../shared/ui/heading-end.tsx';
import { Link } from '../../shared/ui/link.tsx';
import { SearchForm } from '../parts/forms/search-form.tsx';
import styles from './error-page.module.css';

/** @param path the failed address. Its link loads in full, or navigates on a hydrated page. */
export function ErrorPage({ error, path }: { error: PageError; path: string }) {
  const { statusCode, statusMessage, message, requestId, suggestions = [] } = error;
  const labels = useLabels();
  const title = pageErrorTitle(error, labels);
  const navigate = useNavigate();
  // Show no link to try again, because a missing page stays missing.
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
    // Navigate, because a revalidation would update neither title nor focus, and show no loading bar.
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
        <HeadingEnd />
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
