import { describe, expect, it } from 'vitest';
import { contentSecurityPolicy, foreignOrigins } from '../../server/http/security/content-security-policy.ts';

const CONFIG = { publicOrigin: 'https://www.example.com', mediaOrigins: [], embedProviders: [] };
const NOTHING = { styles: [], scripts: [], origin: 'https://www.example.com' };

function directives(policy: string): Record<string, string> {
  return Object.fromEntries(
    policy.split('; ').map(directive => {
      const [name = '', ...values] = directive.split(' ');
      return [name, values.join(' ')];
    }),
  );
}

describe('the policy', () => {
  it('a page without foreign files gets the minimal policy', () => {
    expect(directives(contentSecurityPolicy(CONFIG, NOTHING))).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'img-src': "'self'",
      'media-src': "'self'",
      'font-src': "'self'",
      'manifest-src': "'self'",
      'connect-src': "'self'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
      'base-uri': "'none'",
      'require-trusted-types-for': "'script'",
      'trusted-types': "'none'",
      'report-uri': '/csp-reports',
      'report-to': 'csp',
    });
  });

  it('the policy allows the origins of media, stylesheets and scripts, each in its directive', () => {
    const policy = directives(
      contentSecurityPolicy(
        { ...CONFIG, mediaOrigins: ['https://media.example'] },
        {
          ...NOTHING,
          styles: ['https://styles.example/a.css', '/uploads/b.css', 'https://styles.example/c.css'],
          scripts: ['https://scripts.example:8443/a.js?b'],
        },
      ),
    );
    expect(policy).toMatchObject({
      'img-src': "'self' https://media.example",
      'media-src': "'self' https://media.example",
      'style-src': "'self' https://styles.example",
      'font-src': "'self' https://styles.example",
      'script-src': "'self' https://scripts.example:8443",
      'connect-src': "'self' https://scripts.example:8443",
    });
  });

  it('the policy has a space after each semicolon, and lists each source once', () => {
    expect(
      contentSecurityPolicy(
        { publicOrigin: null, mediaOrigins: ['https://a.example', 'https://a.example'], embedProviders: [] },
        { styles: [], scripts: [], origin: '' },
      ),
    ).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https://a.example; " +
        "media-src 'self' https://a.example; font-src 'self'; manifest-src 'self'; connect-src 'self'; form-action 'self'; " +
        "frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'; " +
        'report-uri /csp-reports',
    );
  });

  it.each([
    ['no script', [], "'script'", "'none'"],
    // A script of the site's origin may create a Trusted Types policy and needs one.
    ['a script of the site', ['/uploads/a.js'], "'script'", undefined],
    ['the same by its full address', ['https://www.example.com/uploads/a.js'], "'script'", undefined],
    ['a script from elsewhere', ['https://scripts.example/a.js'], undefined, undefined],
    ['both', ['/uploads/a.js', 'https://scripts.example/a.js'], undefined, undefined],
  ])('the Trusted Types directives follow the settings: %s', (_what, scripts, required, policies) => {
    const policy = directives(contentSecurityPolicy(CONFIG, { ...NOTHING, scripts }));
    expect(policy['require-trusted-types-for']).toBe(required);
    expect(policy['trusted-types']).toBe(policies);
  });

  it.each([null, 'http://www.example.com'])(
    'without HTTPS, the policy names no reporting group: public origin %s',
    publicOrigin => {
      const policy = contentSecurityPolicy({ ...CONFIG, publicOrigin }, NOTHING);
      expect(policy).toContain('report-uri /csp-reports');
      expect(policy).not.toContain('report-to');
    },
  );

  it('the policy never allows inline code, evaluated code or a wildcard', () => {
    const policy = contentSecurityPolicy(CONFIG, { ...NOTHING, scripts: ['https://a.example/x.js'] });
    expect(policy).not.toMatch(/unsafe|\*|data:|blob:|nonce|http:/);
  });
});

describe('foreign origins', () => {
  it.each([
    [['/uploads/a.js'], []],
    [['https://www.example.com/a.js'], []],
    [['http://www.example.com/a.js'], ['http://www.example.com']],
    [['https://www.example.com:8443/a.js'], ['https://www.example.com:8443']],
    [['https://a.example/1.js', 'https://a.example/2.js'], ['https://a.example']],
    [['https://['], []],
    [['https://a;script-src *.example/a.js', 'https://a,b.example/a.js', "https://a'b.example/a.js"], []],
  ])('the foreign origins of %j are %j', (addresses, origins) => {
    expect(foreignOrigins(addresses, 'https://www.example.com')).toEqual(origins);
  });
});
