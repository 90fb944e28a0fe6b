import { existsSync } from 'node:fs';

// Import only modules of Node here, because `npm start` must not load packages if the build is up to date.

/**
 * Adds the variables of `.env` in the working folder. Variables that are already set win. In production,
 * only Node's `--env-file` loads such a file.
 */
export function loadEnvFile({ NODE_ENV }: NodeJS.ProcessEnv): void {
  if (NODE_ENV !== 'production' && existsSync('.env')) process.loadEnvFile('.env');
}
