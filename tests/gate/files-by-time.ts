import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from './results.ts';
import { longestFirst, readTimings } from './timings.ts';

/** Begins the files that took longest first, so that none of them is still running when nothing else is left. */
export class FilesByTime extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const timings = readTimings();
    const usual = await super.sort(files);
    // Projects run one after the other.
    return [...new Set(usual.map(({ project }) => project))].flatMap((project) =>
      longestFirst(
        usual.filter((file) => file.project === project),
        ({ moduleId }) => relative(root, moduleId),
        timings,
      ),
    );
  }
}
