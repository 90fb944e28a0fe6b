// npm run config:docs: writes docs/configuration.md and .env.example from server/config/environment.ts

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import { SECTIONS } from '../server/config/environment.ts';
import { FILE_VARIABLES } from '../server/config/variables.ts';
import { projectRoot } from './output-files.ts';

type Variable = ReturnType<typeof variableOf>;

const sections = Object.entries(SECTIONS).map(([title, variables]) => ({
  title,
  variables: Object.entries(variables).map(([name, schema]) => variableOf(name, schema)),
}));

/** `byDefault` is null for a variable without a default. `literal` is a default that a person can type. */
function variableOf(name: string, schema: z.ZodType) {
  const { description, needed, unset, inImage, example } = schema.meta() ?? {};
  if (!description) throw new Error(`${name} has no description in server/config/environment.ts`);
  const literal = defaultOf(schema);
  const byDefault = unset ?? (literal === null ? null : `\`${literal}\``);
  return { name, description, byDefault, literal, needed, inImage, example };
}

function defaultOf(schema: z.ZodType): string | null {
  const { success, data } = schema.safeParse(undefined);
  if (!success || data === undefined || Array.isArray(data)) return null;
  if (typeof data === 'boolean') return data ? 'on' : 'off';
  return typeof data === 'object' ? JSON.stringify(data) : String(data);
}

export function configurationDocument(): string {
  const rows = ({ name, description, byDefault, needed, inImage }: Variable) =>
    [
      `| \`${name}\``,
      `${byDefault ?? '–'}${inImage ? ` (\`${inImage}\` in the image)` : ''}`,
      `${description}${needed ? ` **Needed** with ${needed}.` : ''} |`,
    ].join(' | ');
  const tables = sections.map(
    ({ title, variables }) =>
      `## ${title}\n\n| variable | default | meaning |\n|---|---|---|\n${variables.map(rows).join('\n')}\n`,
  );
  return `# Configuration

<!-- Written by \`npm run config:docs\` from \`server/config/environment.ts\`. Change that file, and run it. -->

The site reads its configuration from environment variables, once, at its start. Without any it serves the sample content on
[http://localhost:3000](http://localhost:3000). A value that cannot be used ends the process with exit code 1 before it listens; standard error names the
variable and the values that it accepts. An empty variable counts as not set. The log and the doctor
name misspelt variables: at most two letters differ from a known name.

[.env.example](../.env.example) has every variable with its default. Copy it to \`.env\` in the working folder. Server, build and commands read it, and
set variables win. With \`NODE_ENV=production\` it is not read. Pass it on there: \`docker run --env-file .env …\`, or
\`node --env-file=.env dist/server/main.js\`.
[deploying.md](deploying.md) says what production needs.

Secrets may be in files, as Docker and Kubernetes store them. \`WEBHOOK_SECRET_FILE=/run/secrets/webhook\` stands for \`WEBHOOK_SECRET\`. An end of line
at the end of the file does not count. Variables with such a file:

${[...FILE_VARIABLES.values()].map(name => `\`${name}\``).join(', ')}

${tables.join('\n')}`;
}

export function exampleEnvironment(): string {
  const lines = ({ name, description, literal, needed, example }: Variable) => {
    const text = `${description}${needed ? ` Needed with ${needed}.` : ''}`.replaceAll(
      /\[([^[\]]+)\]\([^()]*\)/g,
      '$1',
    );
    return `${wrapped(text)}\n# ${name}=${literal ?? example ?? ''}\n`;
  };
  const parts = sections.map(({ title, variables }) => `## ${title}\n\n${variables.map(lines).join('\n')}`);
  return `# Every variable of the site, with its default or an example. Written by \`npm run config:docs\`.
# Copy this file to .env, and remove the "# " before a variable to set it.

${parts.join('\n')}`;
}

const COLUMNS = 110;

function wrapped(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (`# ${last} ${word}`.length > COLUMNS) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.map(line => `# ${line}`).join('\n');
}

if (import.meta.main) {
  writeFileSync(join(projectRoot, 'docs/configuration.md'), configurationDocument());
  writeFileSync(join(projectRoot, '.env.example'), exampleEnvironment());
}
