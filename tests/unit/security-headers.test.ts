import { describe, expect, it } from 'vitest';
import { readConfig } from '../../server/config/config.ts';
import { dataHeaders, securityHeaders } from '../../server/http/security/security-headers.ts';

const headersOf = (env: Record<string, string> = {}) => Object.fromEntries(securityHeaders(readConfig(env)));

describe('the security headers', () => {
  it('without PUBLIC_URL the security headers have strict values', () => {
    expect(headersOf()).toEqual({
      'Content-Security-Policy': expect.stringContaining("default-src 'none'; script-src 'self'; "),
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Origin-Agent-Cluster': '?1',
      'Permissions-Policy': expect.stringMatching(/^(?:[a-z-]+=\(\)(?:, )?){10,}$/),
      'Referrer-Policy': 'strict-origin-when-cross-origin',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    });
  });

  it('HTTPS adds the header Reporting-Endpoints', () => {
    const headers = headersOf({ PUBLIC_URL: 'https://www.example.com' });
    expect(headers['Reporting-Endpoints']).toBe('csp="/csp-reports"');
  });

  it.each([
    ['off', undefined],
    ['host', 'max-age=31536000'],
    ['subdomains', 'max-age=31536000; includeSubDomains'],
    ['preload', 'max-age=31536000; includeSubDomains; preload'],
  ])('HTTPS with HSTS=%s sets Strict-Transport-Security to %s', (HSTS, value) => {
    const headers = headersOf({ PUBLIC_URL: 'https://www.example.com', HSTS });
    expect(headers['Strict-Transport-Security']).toBe(value);
  });

  it('a response with data has all common security headers, and a policy that allows nothing', () => {
    const env = { PUBLIC_URL: 'https://www.example.com', SITE_INDEXING: 'off' };
    expect(Object.fromEntries(dataHeaders(securityHeaders(readConfig(env))))).toEqual({
      'Content-Security-Policy':
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Strict-Transport-Security': expect.stringContaining('max-age=31536000'),
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
    });
  });

  it('plain HTTP has neither Strict-Transport-Security nor Reporting-Endpoints', () => {
    const headers = headersOf({ PUBLIC_URL: 'http://www.example.com' });
    expect(headers).not.toHaveProperty('Strict-Transport-Security');
    expect(headers).not.toHaveProperty('Reporting-Endpoints');
  });
});
