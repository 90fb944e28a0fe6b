import { createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

const require = createRequire(import.meta.url);

/**
 * Turns React's properties into named exports of an ES module. React is CommonJS, so without this plugin each use of a hook
 * would go through a getter of a wrapper object, 1,000 times a page.
 */
export function reactAsModule(): Plugin {
  return {
    name: 'react-as-module',
    setup(build) {
      build.onResolve({ filter: /^react(?:\/jsx-runtime)?$/ }, ({ path, kind, namespace }) =>
        kind === 'import-statement' && namespace !== 'react-as-module'
          ? { path, namespace: 'react-as-module' }
          : null,
      );
      build.onLoad({ filter: /.*/, namespace: 'react-as-module' }, ({ path }) => {
        const names = Object.keys(require(path)).filter(name => /^[a-z_$][\w$]*$/i.test(name));
        return {
          contents: `const module = require('${path}');\nexport default module;\n${names.map(name => `export const ${name} = module.${name};`).join('\n')}`,
          resolveDir: import.meta.dirname,
        };
      });
    },
  };
}
