import { relative } from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { type Failure, failureOf, root, writeResult, writeTimes } from './results.ts';

/** File in the results' folder that appears when fewer files are left than there are workers. */
export const unitTailFile = 'unit-tail.json';

/** Notes the times and failures of the test files for the gate, and when cores become free. */
export class UnitReporter implements Reporter {
  readonly #workers: number;
  readonly #files: Record<string, number> = {};
  readonly #tests: { title: string; ms: number }[] = [];
  readonly #failures: Failure[] = [];
  #left = 0;

  /** @param workers number of files that run at once */
  constructor(workers: number) {
    this.#workers = workers;
  }

  onTestRunStart(specifications: readonly unknown[]): void {
    this.#left = specifications.length;
  }

  onTestModuleEnd(module: TestModule): void {
    const file = relative(root, module.moduleId);
    const { duration, collectDuration, prepareDuration } = module.diagnostic();
    this.#files[file] = duration + collectDuration + prepareDuration;
    this.#fail(file, module.errors());
    for (const suite of module.children.allSuites())
      this.#fail(`${file} › ${suite.fullName}`, suite.errors());
    for (const test of module.children.allTests()) {
      const title = `${file} › ${test.fullName}`;
      this.#tests.push({ title, ms: test.diagnostic()?.duration ?? 0 });
      const { state, errors = [] } = test.result();
      this.#fail(state === 'passed' ? `${title} (passed when tried again)` : title, errors);
    }
    this.#left -= 1;
    if (this.#left === this.#workers - 1) writeResult(unitTailFile, { left: this.#left });
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    this.#fail('outside tests', unhandled);
    writeTimes('unit', { files: this.#files, tests: this.#tests, failures: this.#failures });
  }

  #fail(title: string, errors: readonly { readonly message: string }[]): void {
    for (const { message } of errors) this.#failures.push(failureOf(title, message));
  }
}
