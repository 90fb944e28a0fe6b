import type { Server } from 'node:http';
import { join, sep } from 'node:path';
import react from '@vitejs/plugin-react';
import { createServer, type Plugin, type ViteDevServer } from 'vite';
import { isServerOnly } from '../bundles/bundles.ts';
import { brandDir, projectRoot, toProjectPath } from '../output-files.ts';
import { classNames, logo } from '../vite-plugins.ts';
import { BASE } from './names.ts';

const WATCHED = ['server', 'client', 'shared', 'site'].map(name => join(projectRoot, name));

export function serveBrowserModules(server: Server): Promise<ViteDevServer> {
  return createServer({
    configFile: false,
    root: projectRoot,
    base: BASE,
    publicDir: false,
    cacheDir: join(projectRoot, '.cache/vite'),
    appType: 'custom',
    clearScreen: false,
    logLevel: 'error',
    define: { __DEV__: 'true', __BROWSER__: 'true' },
    plugins: [classNames('development'), logo, react(), withoutServer],
    // List the packages, because Vite would otherwise search the server's files, too.
    optimizeDeps: {
      entries: [],
      include: [
        'react',
        'react-dom/client',
        'react-router-dom',
        'zod/mini',
        'perfect-scrollbar',
        'web-vitals',
      ],
    },
    server: {
      middlewareMode: true,
      ws: { server },
      watch: {
        ignored: file => !isWatched(file),
        // Wait for the whole file, because many editors empty it first.
        awaitWriteFinish: { stabilityThreshold: 10, pollInterval: 5 },
      },
    },
  }).then(vite => {
    vite.watcher.add(brandDir);
    return vite;
  });
}

function isWatched(file: string): boolean {
  if (/[\\/]\.[^\\/]+$|~$/.test(file)) return false;
  return [...WATCHED, brandDir].some(
    root => `${file}${sep}`.startsWith(root + sep) || root.startsWith(file + sep),
  );
}

/** Throws if a browser requests a server module. Shared code imports those only behind `__BROWSER__ ||`. */
const withoutServer: Plugin = {
  name: 'without-server',
  enforce: 'pre',
  load(id) {
    const path = toProjectPath(id);
    if (isServerOnly(path)) throw new Error(`${path} must not reach the browser`);
  },
  hotUpdate: ({ file }) => (isServerOnly(toProjectPath(file)) ? [] : undefined),
};
