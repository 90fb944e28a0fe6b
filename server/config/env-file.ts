import { existsSync } from 'node:fs';

// Import only modules of Node here, because `npm start` needs no package for a fresh build.

/**
 * Adds the variables of `.env` in the working folder. Set variables win. In production only Node's
 * `--env-file` names such a file.
 */
export function loadEnvFile({ NODE_ENV }: NodeJS.ProcessEnv): void {
  if (NODE_ENV !== 'production' && existsSync('.env')) process.loadEnvFile('.env');
}
