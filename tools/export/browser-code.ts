import { createHash } from 'node:crypto';
import path from 'node:path';
import { build } from 'esbuild';

/** Hides forms whose messages nobody receives, their cards, and the invitation to subscribe. */
const WITHOUT_FORMS = `form[action="/api/email/send"],:has(>form[action="/api/email/send"]:only-child),
section:has(>div>[id^="form-"]>form:only-child),#subscribe:has(form:only-child),#subscribe-title,#subscribe-title+p{display:none}
`;

interface BrowserCode {
  readonly files: ReadonlyMap<string, string>;
  /** The elements for the head of each page. */
  readonly elements: string;
}

/** Builds what each page needs besides the scripts of the site. @param forms the target of forms. */
export async function buildBrowserCode(forms: string | null): Promise<BrowserCode> {
  const files = new Map<string, string>();
  const add = (name: string, extension: string, text: string) => {
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase();
    const file = `assets/${name}-${hash}.${extension}`;
    files.set(file, text);
    return `/${file}`;
  };
  const search = add('export-search', 'js', await bundle('search.ts', 'esm', {}));
  const values = { __SEARCH__: JSON.stringify(search), __FORMS__: JSON.stringify(forms) };
  const script = add('export', 'js', await bundle('export.ts', 'iife', values));
  const styles = forms === null ? add('export', 'css', WITHOUT_FORMS) : null;
  const elements = [
    `<script defer src="${script}"></script>`,
    ...(styles === null ? [] : [`<link rel="stylesheet" href="${styles}">`]),
  ];
  return { files, elements: elements.join('') };
}

async function bundle(
  entry: string,
  format: 'esm' | 'iife',
  define: Record<string, string>,
): Promise<string> {
  const { outputFiles } = await build({
    ...{ entryPoints: [path.join(import.meta.dirname, 'browser', entry)], format, define },
    ...{
      bundle: true,
      minify: true,
      write: false,
      target: 'es2022',
      legalComments: 'inline',
      external: ['/assets/*'],
    },
  });
  return outputFiles[0]?.text ?? '';
}
