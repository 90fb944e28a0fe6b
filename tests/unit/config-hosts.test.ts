import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../server/config/config.ts';

const PUBLIC_URL = 'https://www.example.com';
const LINES =
  'Set PUBLIC_URL=https://www.example.com, or PUBLIC_URL=any to serve every host without absolute addresses and outside of search engines';
const BEHIND_PROXY = `PUBLIC_URL: wants the site's own address, because TRUST_PROXY is set, and a proxy forwards any host that a visitor has made up. ${LINES}`;
const IN_PRODUCTION = `PUBLIC_URL: wants the site's own address, because NODE_ENV is production. ${LINES}`;
const FOR_HOSTS = "PUBLIC_URL: wants the site's own address: without it every host is served";

function problemsOf(env: Record<string, string>, servesPages = true): readonly string[] {
  try {
    readConfig(env, { servesPages });
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).problems;
  }
  return [];
}

describe('HSTS', () => {
  it.each<[Record<string, string>, string[]]>([
    [{ HSTS: 'subdomains' }, ['HSTS: wants PUBLIC_URL to be an https address with subdomains']],
    [
      { HSTS: 'preload', PUBLIC_URL: 'http://www.example.com' },
      ['HSTS: wants PUBLIC_URL to be an https address with preload'],
    ],
    [{ HSTS: 'preload', PUBLIC_URL }, []],
    [{ HSTS: 'always' }, ['HSTS: wants one of off, host, subdomains, preload']],
    [{ HSTS: 'off' }, []],
  ])('HSTS for subdomains or preloading requires a PUBLIC_URL with https: %j', (env, problems) => {
    expect(problemsOf(env)).toEqual(problems);
  });
});

describe('PUBLIC_URL', () => {
  it.each<[Record<string, string>, string[]]>([
    [{}, []],
    [{ TRUST_PROXY: '1' }, [BEHIND_PROXY]],
    [{ TRUST_PROXY: 'loopback' }, [BEHIND_PROXY]],
    [{ TRUST_PROXY: '1', PUBLIC_URL: '' }, [BEHIND_PROXY]],
    [{ TRUST_PROXY: '1', PUBLIC_URL }, []],
    [{ TRUST_PROXY: '1', PUBLIC_URL: 'any' }, []],
    [{ TRUST_PROXY: 'off' }, []],
    [{ TRUST_PROXY: '0' }, []],
    [{ NODE_ENV: 'production', CONTENT: 'embedded' }, [IN_PRODUCTION]],
    [{ NODE_ENV: 'production', CONTENT: 'embedded', TRUST_PROXY: '1' }, [BEHIND_PROXY]],
    [{ NODE_ENV: 'production', CONTENT: 'embedded', PUBLIC_URL }, []],
    [{ NODE_ENV: 'production', CONTENT: 'embedded', PUBLIC_URL: 'any' }, []],
    [{ NODE_ENV: 'development' }, []],
    [{ ALLOWED_HOSTS: 'example.com' }, [FOR_HOSTS]],
    [{ ALLOWED_HOSTS: 'example.com', PUBLIC_URL: 'any' }, [FOR_HOSTS]],
    [{ ALLOWED_HOSTS: 'example.com', TRUST_PROXY: '1' }, [FOR_HOSTS]],
    [{ ALLOWED_HOSTS: 'example.com', PUBLIC_URL }, []],
  ])('PUBLIC_URL is required where a visitor could forge the host: %j', (env, problems) => {
    expect(problemsOf(env)).toEqual(problems);
  });

  it('PUBLIC_URL is optional for a command that serves no pages', () => {
    expect(problemsOf({ NODE_ENV: 'production', TRUST_PROXY: '1' }, false)).toEqual([]);
  });

  it('PUBLIC_URL=any gives the site no origin', () => {
    expect(readConfig({ PUBLIC_URL: 'any' })).toMatchObject({ publicOrigin: null, anyHost: true });
    expect(readConfig({ PUBLIC_URL })).toMatchObject({ publicOrigin: PUBLIC_URL, anyHost: false });
  });
});
