// npm run deploy:files: writes the files of deploy/ that follow from tables and limits in code

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { alertRules, RUNBOOK, withAlarms } from './alert-files.ts';
import { dashboard } from './dashboard.ts';
import { manifests } from './kubernetes.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), { encoding: 'utf8', flag: 'a+' });
const WRITTEN_BY = '# Written by `npm run deploy:files`. Change';

const yaml = (value: unknown) =>
  stringify(JSON.parse(JSON.stringify(value)), { lineWidth: 0, aliasDuplicateObjects: false });

export function deployFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['deploy/alerts.yml', `${WRITTEN_BY} deploy/scripts/alerts.ts.\n${yaml(alertRules())}`],
    ['deploy/grafana/dashboard.json', `${JSON.stringify(dashboard(), null, 2)}\n`],
    [RUNBOOK, withAlarms(read(RUNBOOK))],
    [
      'deploy/kubernetes.yaml',
      `${WRITTEN_BY} deploy/scripts/kubernetes.ts.\n${manifests.map(yaml).join('---\n')}`,
    ],
  ]);
}

if (import.meta.main)
  for (const [file, text] of deployFiles()) {
    if (read(file) === text) continue;
    writeFileSync(path.join(root, file), text);
    console.log(file);
  }
