const ATOM = String.raw`[^\p{Cc}\p{Cf}\p{Cs}\p{Z}"(),.:;<>@[\\\]]+`;
const LABEL = String.raw`[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}\u200c\u200d-]{0,61}[\p{L}\p{M}\p{N}])?`;

/** Copies of the expressions that the site computes, by their files. Change them with the code. */
export const COMPUTED_EXPRESSIONS: Readonly<Record<string, RegExp>> = {
  'shared/forms/form-schema.ts': new RegExp(
    String.raw`^(?=[^@]{1,64}@)${ATOM}(?:\.${ATOM})*@(?:${LABEL}\.)+(?!\p{N}+$)${LABEL}$`,
    'u',
  ),
  'server/ops/log.ts': /(?:file:\/\/)?\/site\/dist\/server\/site\.js:(\d+):(\d+)/g,
  'build/styles/css-module-uses.ts': /(?<![\w.$])styles(?:\.(\w+)|\[(?:'([^']+)'|"([^"]+)")\])/g,
  'build/styles/css-modules.ts': /\.el-button__root(?![\w-])/g,
  'build/release.ts': /^(Added|Changed|Deprecated|Removed|Fixed|Security): (\S.*)$/s,
  'build/bundles/plugins.ts': /\/queue-engine\.ts$/,
};
