import { dirname, join, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { logoModule } from './brand/logo.ts';
import { type BuildMode, brandDir } from './output-files.ts';
import { classNamesModule } from './styles/css-modules.ts';
import { addressOfLate } from './styles/stylesheet.ts';

const NAMES = '\0class-names:';

/** Gives scripts the build's class names. Module ids drop `.css`: otherwise Vite would compile the CSS. */
export function classNames(mode: BuildMode): Plugin {
  const idOf = (file: string) => NAMES + file.slice(0, -'.css'.length);
  const given = new Map<string, string>();
  const moduleOf = (file: string) => classNamesModule(file, path => addressOfLate(path, mode));

  return {
    name: 'class-names',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!source.endsWith('.module.css') || !importer) return null;
      return idOf(resolve(dirname(importer), source));
    },
    async load(id) {
      if (!id.startsWith(NAMES)) return null;
      const module = await moduleOf(`${id.slice(NAMES.length)}.css`);
      given.set(id, module);
      return module;
    },
    /** Updates components only if class names change. Rules are swapped with the stylesheet. */
    async hotUpdate({ file }) {
      if (!file.endsWith('.module.css')) return undefined;
      const module = this.environment.moduleGraph.getModuleById(idOf(file));
      const text = await moduleOf(file).catch(() => null);
      return module && text !== null && text !== given.get(idOf(file)) ? [module] : [];
    },
  };
}

export const logo: Plugin = {
  name: 'brand-logo',
  enforce: 'pre',
  resolveId: source => (source.endsWith('/brand/logo.svg') ? join(brandDir, 'logo.svg') : null),
  load: id => (id === join(brandDir, 'logo.svg') ? logoModule() : null),
};
