/** An expression that has not passed `recheck`. Its input is bounded. */
export interface KnownExpression {
  /** A literal, such as `/a+$/i`, or the file of a computed expression. */
  readonly expression: string;
  /** Bound of the input in characters, and its reason. */
  readonly bound: number;
  readonly boundBecause: string;
  /** @returns the worst input of a given length. */
  readonly worst: (length: number) => string;
  /** CPU time for that input on a machine of 2026, in ms. */
  readonly takesMs: number;
  /** A computed expression, with the pattern that its file computes. */
  readonly computed?: RegExp;
}

const ATOM = String.raw`[^\p{Cc}\p{Cf}\p{Cs}\p{Z}"(),.:;<>@[\\\]]+`;
const LABEL = String.raw`[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}\u200c\u200d-]{0,61}[\p{L}\p{M}\p{N}])?`;

export const KNOWN_EXPRESSIONS: readonly KnownExpression[] = [
  {
    expression: 'shared/forms/form-schema.ts',
    bound: 64 * 1024,
    boundBecause: 'a form has 64 KiB at most; the length of the field is checked besides',
    worst: length => `a@${'a-'.repeat(length / 2 - 2)}.`,
    takesMs: 1,
    computed: new RegExp(
      String.raw`^(?=[^@]{1,64}@)${ATOM}(?:\.${ATOM})*@(?:${LABEL}\.)+(?!\p{N}+$)${LABEL}$`,
      'u',
    ),
  },
  {
    expression: 'server/ops/log.ts',
    bound: 100_000,
    boundBecause: 'it reads stacks of errors, whose positions Node writes',
    worst: length => '/site/dist/server/site.js:1'.repeat(length / 27),
    takesMs: 1,
    computed: /(?:file:\/\/)?\/site\/dist\/server\/site\.js:(\d+):(\d+)/g,
  },
  {
    expression: String.raw`/\/\*[\s\S]*?\*\//g`,
    bound: 10_000,
    boundBecause: 'it reads our own stylesheets, when the site is built',
    worst: length => '/* '.repeat(length / 3),
    takesMs: 20,
  },
  {
    expression: String.raw`/^import (?!type\b)[^;']* from '(\.[^']+)';$/gm`,
    bound: 10_000,
    boundBecause: 'it reads the entry of the browser’s bundle, when the site is built',
    worst: length => 'import \n'.repeat(length / 8),
    takesMs: 15,
  },
  {
    expression: String.raw`/[\\/]node_modules[\\/].*\.[cm]?js$/`,
    bound: 4_096,
    boundBecause: 'it reads a path, when the site is built; esbuild runs it in time linear to the length',
    worst: length => '/node_modules/'.repeat(length / 14),
    takesMs: 1,
  },
  {
    expression: String.raw`/[\\/]react-router[\\/]dist[\\/]production[\\/].*\.mjs$/`,
    bound: 4_096,
    boundBecause: 'it reads a path, when the site is built; esbuild runs it in time linear to the length',
    worst: length => '/react-router/dist/production/'.repeat(length / 30),
    takesMs: 1,
  },
  {
    expression: 'build/styles/css-module-uses.ts',
    bound: 50_000,
    boundBecause: 'it reads our own modules, when the site is built',
    worst: length => 'styles["a" '.repeat(length / 11),
    takesMs: 1,
    computed: /(?<![\w.$])styles(?:\.(\w+)|\[(?:'([^']+)'|"([^"]+)")\])/g,
  },
  {
    expression: 'build/release.ts',
    bound: 4_096,
    boundBecause: 'it reads a file of changes/, when a release is made',
    worst: length => `Added: ${'a'.repeat(length - 7)}`,
    takesMs: 1,
    computed: /^(Added|Changed|Deprecated|Removed|Fixed|Security): (\S.*)$/s,
  },
  {
    expression: 'build/bundles/plugins.ts',
    bound: 4_096,
    boundBecause: 'it reads the name of an imported module, when the site is built',
    worst: length => '/queue-engine'.repeat(length / 13),
    takesMs: 1,
    computed: /\/queue-engine\.ts$/,
  },
  {
    expression: 'build/styles/css-modules.ts',
    bound: 50_000,
    boundBecause: 'it reads our own stylesheets, when the site is built',
    worst: length => '.el-button__root-'.repeat(length / 17),
    takesMs: 1,
    computed: /\.el-button__root(?![\w-])/g,
  },
];
