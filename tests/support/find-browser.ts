import { existsSync } from 'node:fs';
import path from 'node:path';
import sparticuz from '@sparticuz/chromium';

const MAC_APPS = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
const WINDOWS_APPS = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'];
const COMMANDS = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'microsoft-edge'];

export interface Machine {
  readonly platform: string;
  readonly arch: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly exists: (file: string) => boolean;
}

/**
 * Finds an installed browser: that of CHROME_PATH, or one at a usual place. The package has a browser for
 * Linux on x64 alone, where all runs use the same one.
 * @returns null where the browser of the package runs.
 * @throws Error if CHROME_PATH names no file, or if a machine has no browser.
 */
export function installedBrowser({ platform, arch, env, exists }: Machine): string | null {
  const { CHROME_PATH } = env;
  if (CHROME_PATH) {
    if (exists(CHROME_PATH)) return CHROME_PATH;
    throw new Error(`CHROME_PATH: there is no browser at ${CHROME_PATH}`);
  }
  if (platform === 'linux' && arch === 'x64') return null;
  const found = usualPlaces(platform, env).find(exists);
  if (found) return found;
  throw new Error('There is no Chrome, Chromium or Edge at a usual place. Set CHROME_PATH to one.');
}

function usualPlaces(platform: string, env: Machine['env']): string[] {
  if (platform === 'darwin')
    return ['', env.HOME ?? ''].flatMap(home =>
      MAC_APPS.map(app => `${home}/Applications/${app}.app/Contents/MacOS/${app}`),
    );
  if (platform === 'win32')
    return [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].flatMap(folder =>
      folder ? WINDOWS_APPS.map(app => path.posix.join(folder.replaceAll('\\', '/'), app)) : [],
    );
  const folders = (env.PATH ?? '').split(':').filter(Boolean);
  return COMMANDS.flatMap(command => folders.map(folder => path.posix.join(folder, command)));
}

/** @returns the browser of this machine, unpacked if it comes from the package. */
export async function browserPath(): Promise<string> {
  const { platform, arch, env } = process;
  const file =
    installedBrowser({ platform, arch, env, exists: existsSync }) ?? (await sparticuz.executablePath());
  if (!existsSync(file)) throw new Error(`There is no browser at ${file}`);
  return file;
}
