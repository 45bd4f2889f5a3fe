import { relative } from 'node:path';
import type { Reporter, TestCase, TestResult } from 'playwright/types/testReporter';
import { type Failure, failureOf, root, writeTimes } from './results.ts';

/** Notes the times and failures of the end-to-end tests for the gate. */
class JourneyReporter implements Reporter {
  readonly #files: Record<string, number> = {};
  readonly #tests: { title: string; ms: number }[] = [];
  readonly #failures: Failure[] = [];

  onTestEnd(test: TestCase, { duration, errors, retry, status }: TestResult): void {
    if (status === 'skipped') return;
    const file = relative(root, test.location.file);
    this.#files[file] = (this.#files[file] ?? 0) + duration;
    const title = `${file} › ${test.title}`;
    this.#tests.push({ title, ms: duration });
    for (const { message } of errors)
      this.#failures.push(
        failureOf(retry === 0 ? title : `${title} (try ${retry + 1})`, message ?? 'unknown error'),
      );
  }

  onEnd(): void {
    writeTimes('e2e', { files: this.#files, tests: this.#tests, failures: this.#failures });
  }

  /** Another reporter prints what happens. */
  printsToStdio(): boolean {
    return false;
  }
}

// oxlint-disable-next-line import/no-default-export -- what Playwright asks of a reporter
export default JourneyReporter;
