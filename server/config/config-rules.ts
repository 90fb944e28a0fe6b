import type { Values } from './environment.ts';

const PUBLIC_URL_LINES =
  'Set PUBLIC_URL=https://www.example.com, or PUBLIC_URL=any to serve every host without absolute addresses and outside of search engines';

/** @returns the problems of variables that are valid alone but not together. */
export function problemsOf(values: Values, servesPages: boolean): string[] {
  const problems: string[] = [];
  if (values.PORT !== 0 && values.PORT === values.OPS_PORT) {
    problems.push('OPS_PORT: wants a port other than PORT: the ops endpoints are not for visitors');
  }
  if (values.CONTENT && values.CONTENT_BASE_URL) {
    problems.push('CONTENT: wants to be left out where CONTENT_BASE_URL names a backend');
  }
  const namesContent = values.CONTENT_BASE_URL || values.CONTENT || values.CONTENT_DIR;
  if (servesPages && values.NODE_ENV === 'production' && !namesContent) {
    problems.push(
      'CONTENT_BASE_URL: wants the address of the CMS, because NODE_ENV is production. ' +
        'Set CONTENT_BASE_URL=https://cms.example.com, or CONTENT=embedded to serve the sample content',
    );
  }
  if (!values.CONTENT_BASE_URL && (values.CONTENT_TOKEN || Object.keys(values.CONTENT_HEADERS).length > 0)) {
    problems.push(
      'CONTENT_BASE_URL: wants the address of the backend that CONTENT_TOKEN or CONTENT_HEADERS is for',
    );
  }
  if (
    values.CONTENT_TOKEN &&
    Object.keys(values.CONTENT_HEADERS).some(name => name.toLowerCase() === 'authorization')
  ) {
    problems.push('CONTENT_HEADERS: wants no Authorization header while CONTENT_TOKEN is set');
  }
  const { PUBLIC_URL: publicUrl } = values;
  if (values.ALLOWED_HOSTS.length > 0 && (!publicUrl || publicUrl === 'any')) {
    problems.push("PUBLIC_URL: wants the site's own address: without it every host is served");
  } else if (servesPages && !publicUrl) {
    const reason = values.TRUST_PROXY
      ? 'TRUST_PROXY is set, and a proxy forwards any host that a visitor has made up'
      : values.NODE_ENV === 'production' && 'NODE_ENV is production';
    if (reason)
      problems.push(`PUBLIC_URL: wants the site's own address, because ${reason}. ${PUBLIC_URL_LINES}`);
  }
  if ((values.HSTS === 'subdomains' || values.HSTS === 'preload') && !publicUrl?.startsWith('https:')) {
    problems.push(`HSTS: wants PUBLIC_URL to be an https address with ${values.HSTS}`);
  }
  if (values.SECURITY_POLICY && values.SECURITY_CONTACT.length === 0) {
    problems.push('SECURITY_CONTACT: wants an address for reports, because SECURITY_POLICY is set');
  }
  if (!values.OUTBOX_URL && (values.OUTBOX_QUEUE || values.OUTBOX_TRUST)) {
    problems.push('OUTBOX_URL: wants the address of the queue that OUTBOX_QUEUE or OUTBOX_TRUST is for');
  }
  if (values.CDN_PURGE && values.CDN_PURGE.kind !== 'varnish' && !values.CDN_TOKEN)
    problems.push(
      `CDN_TOKEN: wants a token of ${values.CDN_PURGE.kind} that may purge, because CDN_PURGE names it`,
    );
  if (!values.CDN_PURGE && (values.CDN_TOKEN || values.CDN_API))
    problems.push('CDN_PURGE: wants the cache that CDN_TOKEN or CDN_API is for');
  if (servesPages && values.SUBSCRIBE_SECRET && (!publicUrl || publicUrl === 'any'))
    problems.push("PUBLIC_URL: wants the site's own address, for the links that SUBSCRIBE_SECRET signs");
  if (Boolean(values.FORM_WEBHOOK_URL) !== Boolean(values.FORM_WEBHOOK_SECRET))
    problems.push('FORM_WEBHOOK_URL: wants FORM_WEBHOOK_SECRET beside it, and the other way round');
  return problems;
}
