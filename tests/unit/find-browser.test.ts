import { expect, it } from 'vitest';
import { installedBrowser } from '../support/find-browser.ts';

const CHROME = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
const EDGE = 'C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe';
const find = (platform: string, arch: string, env: Record<string, string>, ...files: string[]) =>
  installedBrowser({ platform, arch, env, exists: file => files.includes(file) });

it.each([
  [
    'the browser of CHROME_PATH',
    find('linux', 'x64', { CHROME_PATH: '/opt/chrome' }, '/opt/chrome'),
    '/opt/chrome',
  ],
  [
    'the browser of the package on Linux on x64',
    find('linux', 'x64', { PATH: '/usr/bin' }, '/usr/bin/chromium'),
    null,
  ],
  [
    'a browser of the path on Linux on ARM',
    find('linux', 'arm64', { PATH: '/bin:/usr/bin' }, '/usr/bin/chromium'),
    '/usr/bin/chromium',
  ],
  ['Chrome on macOS', find('darwin', 'arm64', { HOME: '/Users/ada' }, CHROME), CHROME],
  [
    'Chrome of a user on macOS',
    find('darwin', 'arm64', { HOME: '/Users/ada' }, `/Users/ada${CHROME}`),
    `/Users/ada${CHROME}`,
  ],
  ['Edge on Windows', find('win32', 'x64', { 'PROGRAMFILES(X86)': 'C:\\Program Files (x86)' }, EDGE), EDGE],
])('the tests use %s', (_name, found, expected) => {
  expect(found).toBe(expected);
});

it('the error for a missing browser, or for a wrong CHROME_PATH, names the variable', () => {
  expect(() => find('darwin', 'arm64', {})).toThrow('Set CHROME_PATH');
  expect(() => find('linux', 'x64', { CHROME_PATH: '/none' })).toThrow(
    'CHROME_PATH: there is no browser at /none',
  );
});
