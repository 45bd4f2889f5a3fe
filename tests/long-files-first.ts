import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, below `tests/`: whole servers and databases start and end in them, or real time passes. */
const longFiles = [
  'server/boot/start.test.ts',
  'server/webhooks/detection.test.ts',
  'server/webhooks/failed-deliveries.test.ts',
  'server/webhooks/webhooks.test.ts',
  'kinds/conformance.test.ts',
  'server/live/chaos.test.ts',
  'server/audit/log.test.ts',
  'server/audit/chains.test.ts',
  'server/audit/million.test.ts',
  'server/access/audit.test.ts',
  'server/duties/hand-over.test.ts',
  'server/chat/model.test.ts',
  'server/boot/page-build/page-build.test.ts',
  'server/store/kill.test.ts',
  'server/store/embedded.test.ts',
  'playground/kubectl.test.ts',
  'playground/estate.test.ts',
  'playground/operations.test.ts',
];

/** Begins the long files first, so that none of them is still running when nothing else is left. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      longFiles.some((file) => moduleId.endsWith(`/tests/${file}`));
    const usual = await super.sort(files);
    // Projects run one after the other.
    return [...new Set(usual.map(({ project }) => project))].flatMap((project) => {
      const own = usual.filter((file) => file.project === project);
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))];
    });
  }
}
