import type { Reporter, TestModule } from 'vitest/node';
import { NOT_THE_SAMPLE } from './fixture.ts';

const NO_SKIPS = Boolean(process.env.NO_SKIPPED_TESTS);

/**
 * Prints each skipped test with its reason. With `NO_SKIPPED_TESTS` set, as `.ci/run` does, a skipped test
 * fails the run, unless it is about the sample.
 */
export class ReportSkipped implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap(module =>
      [...module.children.allTests('skipped')].flatMap(test => {
        const result = test.result();
        const reason = result.state === 'skipped' ? result.note : undefined;
        // A test filtered out by the option `-t` has no reason.
        return reason || NO_SKIPS
          ? `${module.relativeModuleId} > ${test.fullName}: ${reason ?? 'left out'}`
          : [];
      }),
    );
    if (skipped.length === 0) return;
    process.stdout.write(`\nSkipped tests:\n${skipped.map(line => `  ${line}\n`).join('')}`);
    if (NO_SKIPS && skipped.some(line => !line.endsWith(NOT_THE_SAMPLE))) {
      process.stdout.write('No test may be skipped here (NO_SKIPPED_TESTS is set).\n');
      process.exitCode = 1;
    }
  }
}
