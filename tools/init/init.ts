// node tools/init/init.ts
//
// `npm run init`: turns the sample into a site of your own. `docs/init.md` has the flags.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { brandDir, contentDir, projectRoot } from '../../build/output-files.ts';
import { CATALOGUE_NAMES, catalogueFor } from '../../shared/labels/page-language.ts';
import { firstContent } from './first-content.ts';
import { drawMark } from './mark.ts';
import { paletteOf } from './palette.ts';

const SCOPES = ['@fontsource-variable', '@fontsource'];
const KEPT = 'figtree';

const { values: flags } = parseArgs({
  options: {
    name: { type: 'string' },
    language: { type: 'string' },
    accent: { type: 'string' },
    font: { type: 'string' },
    cms: { type: 'string' },
    empty: { type: 'boolean' },
    'keep-sample': { type: 'boolean' },
    yes: { type: 'boolean', short: 'y' },
  },
});

interface Question {
  readonly text: string;
  readonly otherwise: string;
  /** @returns what is wrong with an answer; null for a good one. */
  readonly check: (answer: string) => string | null;
}

const QUESTIONS = {
  name: {
    text: 'The name of the company',
    otherwise: 'Example Ltd',
    check: answer => (answer.trim() === '' ? 'a name cannot be empty' : null),
  },
  language: {
    text: `The language of the site, such as de-DE (words in: ${CATALOGUE_NAMES.join(', ')})`,
    otherwise: 'en-GB',
    check: answer =>
      catalogueFor(answer)
        ? null
        : `there are words in ${CATALOGUE_NAMES.join(', ')}: docs/languages.md adds one`,
  },
  accent: {
    text: 'The colour of links and buttons, such as #a4262c',
    otherwise: '#0b6b4f',
    check: answer => (/^#[\da-f]{6}$/i.test(answer) ? null : 'a colour has the form #a4262c'),
  },
  font: {
    text: 'The font: a name at fontsource.org, such as ibm-plex-sans',
    otherwise: KEPT,
    check: answer => (/^[a-z\d-]+$/.test(answer) ? null : 'a font has a name such as ibm-plex-sans'),
  },
  cms: {
    text: 'The address of a Strapi; empty for the files in content/',
    otherwise: '',
    check: answer =>
      answer === '' || URL.canParse(answer) ? null : 'an address has the form https://cms.example.com',
  },
} satisfies Record<string, Question>;

type Answers = Record<keyof typeof QUESTIONS, string> & { isEmpty: boolean };

await start(await askAll());

async function askAll(): Promise<Answers> {
  const asks = !flags.yes && process.stdin.isTTY;
  const terminal = asks ? createInterface({ input: process.stdin, output: process.stdout }) : null;
  const answers: Partial<Record<string, string>> = {};
  for (const [name, { text, otherwise, check }] of Object.entries<Question>(QUESTIONS)) {
    const flag = flags[name as keyof typeof QUESTIONS];
    const question = `${text}${otherwise && ` (${otherwise})`}: `;
    for (;;) {
      const typed = flag === undefined && terminal ? (await terminal.question(question)).trim() : null;
      const answer = typed === null ? (flag ?? otherwise) : typed || otherwise;
      const mistake = check(answer);
      answers[name] = answer;
      if (mistake === null) break;
      if (typed === null) fail(`--${name} ${answer}: ${mistake}`);
      console.log(`  ${mistake}`);
    }
  }
  if (flags.empty && flags['keep-sample']) fail('--empty and --keep-sample contradict each other');
  let isEmpty = flags.empty ?? false;
  if (terminal && !flags.empty && !flags['keep-sample'])
    isEmpty = /^y/i.test(await terminal.question('Delete the sample content? (y/N) '));
  terminal?.close();
  return { ...(answers as Record<keyof typeof QUESTIONS, string>), isEmpty };
}

async function start(answers: Answers): Promise<void> {
  await writeBrand(answers, installFont(answers.font));
  await (answers.isEmpty ? replaceContent(answers) : renameSample(answers));
  if (answers.cms !== '') await addVariable('CONTENT_BASE_URL', answers.cms);
  console.log(`
${answers.name} is ready. Next:

  npm start                  the site, at http://localhost:3000
  npm test                   all tests
  site/brand/                colours, logo, icon and fonts: docs/brand.md
  ${path.relative(projectRoot, contentDir).padEnd(25)}  the texts: content/README.md${answers.cms === '' ? '' : `, until ${answers.cms} has content`}
`);
}

function installFont(font: string): string {
  for (const scope of SCOPES) {
    const name = `${scope}/${font}`;
    if (existsSync(path.join(projectRoot, 'node_modules', name))) return name;
    try {
      console.log(`Installing ${name} …`);
      execFileSync('npm', ['install', '--save-exact', name], {
        cwd: projectRoot,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      // Update the list of licences, because a test compares it with the packages.
      execFileSync('npm', ['run', '--silent', 'licences'], { cwd: projectRoot });
      return name;
    } catch (error) {
      const reason = String((error as { stderr?: unknown }).stderr);
      if (!reason.includes('E404')) fail(`--font ${font}: npm could not install ${name}:\n${reason}`);
    }
  }
  return fail(`--font ${font}: Fontsource has no such font. https://fontsource.org lists all`);
}

async function writeBrand({ name, accent }: Answers, font: string): Promise<void> {
  const tokens = path.join(brandDir, 'tokens.css');
  const { css, isDarkened } = paletteOf(await readFile(tokens, 'utf8'), accent);
  if (isDarkened) console.log(`Links on paper have a darker ${accent}, so that they can be read.`);
  await write(tokens, css);
  const mark = await drawMark(name, path.join(projectRoot, 'node_modules', font));
  await write(path.join(brandDir, 'logo.svg'), mark);
  await write(path.join(brandDir, 'icon.svg'), mark);
  await rm(path.join(brandDir, 'logo-dark.svg'), { force: true });
  await rm(path.join(brandDir, 'card.svg'), { force: true });
  const file = path.join(brandDir, 'brand.ts');
  const face = (weights: string) => `{ from: '${font}', weights: [${weights}], fallback: 'sans-serif' }`;
  const text = (await readFile(file, 'utf8'))
    .replace(/\bname: .*,$/m, `name: '${name.replace(/['\\]/g, '\\$&')}',`)
    .replace(/\bhasName: \w+/, 'hasName: false')
    .replace(/^\s*\/\/.*\n/gm, '')
    .replace(/\btext: \{.*\},$/m, `text: ${face('400, 700')},`)
    .replace(/\bdisplay: \{.*\},$/m, `display: ${face('600')},`);
  await write(file, text);
}

/** Replaces all content except the page that explains the folder. */
async function replaceContent({ name, language }: Answers): Promise<void> {
  for (const entry of await readdir(contentDir))
    if (entry !== 'README.md' && !entry.startsWith('.'))
      await rm(path.join(contentDir, entry), { recursive: true });
  for (const [file, text] of Object.entries(firstContent(name, language)))
    await write(path.join(contentDir, file), text);
}

async function renameSample({ name, language }: Answers): Promise<void> {
  const file = path.join(contentDir, 'settings.json');
  const settings = JSON.parse(await readFile(file, 'utf8'));
  await write(file, `${JSON.stringify({ ...settings, siteName: name, language }, null, 2)}\n`);
}

async function addVariable(name: string, value: string): Promise<void> {
  const file = path.join(projectRoot, '.env');
  const lines = existsSync(file) ? (await readFile(file, 'utf8')).split('\n') : [];
  const others = lines.filter(line => line !== '' && !line.startsWith(`${name}=`));
  await write(file, `${[...others, `${name}=${value}`].join('\n')}\n`);
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
