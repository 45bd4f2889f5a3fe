import { relative } from 'node:path';
import type { Reporter, TestCase, TestResult } from 'playwright/types/testReporter';
import { root, writeTimes } from './results.ts';

/** Notes the times of the end-to-end tests for the gate. */
class JourneyReporter implements Reporter {
  readonly #files: Record<string, number> = {};
  readonly #tests: { title: string; ms: number }[] = [];

  onTestEnd(test: TestCase, { duration, status }: TestResult): void {
    if (status === 'skipped') return;
    const file = relative(root, test.location.file);
    this.#files[file] = (this.#files[file] ?? 0) + duration;
    this.#tests.push({ title: `${file} › ${test.title}`, ms: duration });
  }

  onEnd(): void {
    writeTimes('e2e', { files: this.#files, tests: this.#tests });
  }

  /** Another reporter prints what happens. */
  printsToStdio(): boolean {
    return false;
  }
}

// oxlint-disable-next-line import/no-default-export -- what Playwright asks of a reporter
export default JourneyReporter;
