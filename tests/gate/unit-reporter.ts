import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { root, writeResult, writeTimes } from './results.ts';

/** File in the results' folder that appears when fewer files are left than there are workers. */
export const unitTailFile = 'unit-tail.json';

/** Notes the times of the test files for the gate, and when cores become free. */
export class UnitReporter implements Reporter {
  readonly #workers: number;
  readonly #files: Record<string, number> = {};
  readonly #tests: { title: string; ms: number }[] = [];
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
    for (const test of module.children.allTests())
      this.#tests.push({ title: `${file} › ${test.fullName}`, ms: test.diagnostic()?.duration ?? 0 });
    this.#left -= 1;
    if (this.#left === this.#workers - 1) writeResult(unitTailFile, { left: this.#left });
  }

  onTestRunEnd(): void {
    writeTimes('unit', { files: this.#files, tests: this.#tests });
  }
}
