import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { PartialMessage, Plugin } from 'esbuild';
import { transform } from 'lightningcss';
import { remembered } from '../../server/ops/bounded-map.ts';
import { UI_NAMESPACE } from '../../shared/constants.ts';
import { BuildError } from '../build-error.ts';
import { toProjectPath } from '../output-files.ts';

const SUFFIX = '.module.css';
/** The ending of a late view's module, which has a separate stylesheet. */
const LATE_SUFFIX = '.late.module.css';

export const isLateStylesheet = (file: string) => file.endsWith(LATE_SUFFIX);

/** A cache of compiled modules, because `npm run dev` needs all of them after each save. */
const compiled = new Map<string, ReturnType<typeof compile>>();

/**
 * Class names follow from the file's name: `foo` of `button.module.css` is `el-button__foo`, and `root` is
 * `el-button`. So both bundles and cached markup agree. Keyframes keep their names, because lightningcss
 * does not rename all their uses. @throws BuildError for a mistake.
 */
export async function compileCssModule(file: string) {
  const source = await readFile(file, 'utf8');
  return remembered(compiled, file + source, () => compile(toProjectPath(file), source));
}

function compile(path: string, source: string) {
  const withoutComments = source.replaceAll(/\/\*[\s\S]*?(?:\*\/|$)/g, '');
  const block = `${UI_NAMESPACE}-${basename(basename(path, LATE_SUFFIX), SUFFIX)}`;
  refuse(!/^[a-z]+-[a-z][a-z0-9-]*$/.test(block), path, 'the name of the file has to be in kebab-case');
  // Refuse `composes`, so that each name in the source is exactly one class on the page.
  refuse(
    /[{;\s]composes\s*:/.test(withoutComments),
    path,
    "instead of 'composes', give the element both classes",
  );

  for (const [, name = ''] of withoutComments.matchAll(/@keyframes\s+["']?([\w-]+)/g)) {
    refuse(!name.startsWith(`${block}__`), path, `@keyframes ${name} has to begin with ${block}__`);
    refuse(
      withoutComments.split(name).length < 3,
      path,
      `no rule of this file animates with @keyframes ${name}`,
    );
  }
  const { code, exports, dependencies } = reportingMistakes(path, () =>
    transform({
      filename: path,
      code: Buffer.from(source),
      cssModules: {
        pattern: `${block}__[local]`,
        animation: false,
        customIdents: false,
        container: false,
        grid: false,
      },
      analyzeDependencies: { preserveImports: true },
    }),
  );
  const names = Object.keys(exports ?? {}).sort();
  const rootClass = new RegExp(`\\.${block}__root(?![\\w-])`, 'g');
  return {
    css: Buffer.from(code).toString().replaceAll(rootClass, `.${block}`),
    classes: Object.fromEntries(names.map(name => [name, name === 'root' ? block : `${block}__${name}`])),
    dependencies: dependencies ?? [],
  };
}

type AddressOf = (path: string) => Promise<string>;

/** Writes a script with the class names, and the address of a late stylesheet. */
export async function classNamesModule(path: string, addressOf: AddressOf): Promise<string> {
  const { classes } = await compileCssModule(path);
  const address = isLateStylesheet(path) ? JSON.stringify(await addressOf(path)) : null;
  return `export default ${JSON.stringify(classes)};${address ? `export const stylesheet = ${address};` : ''}`;
}

/** Gives scripts the class names, and addresses of late stylesheets. The rules go into the stylesheet. */
export function cssModules(addressOf: AddressOf): Plugin {
  return {
    name: 'css-modules',
    setup(build) {
      build.onLoad({ filter: /\.module\.css$/ }, async ({ path }) => {
        try {
          return { contents: await classNamesModule(path, addressOf), loader: 'js' };
        } catch (error) {
          if (!(error instanceof BuildError)) throw error;
          return { errors: [...error.errors] };
        }
      });
    },
  };
}

/** Runs lightningcss. @param path for the message. @throws BuildError for a syntax error. */
export function reportingMistakes<Result>(path: string, compile: () => Result): Result {
  try {
    return compile();
  } catch (error) {
    throw error instanceof SyntaxError ? new BuildError([toMessage(path, error)]) : error;
  }
}

type CssSyntaxError = SyntaxError & { source?: string; loc?: { line: number; column: number } };

function toMessage(file: string, error: CssSyntaxError): PartialMessage {
  if (!error.loc) return { text: `${file}: ${error.message}` };
  const { line, column } = error.loc;
  const lineText = error.source?.split('\n')[line - 1] ?? '';
  return { text: error.message, location: { file, line, column: column - 1, lineText } };
}

function refuse(condition: boolean, file: string, text: string): void {
  if (condition) throw new BuildError([{ text, location: { file } }]);
}
