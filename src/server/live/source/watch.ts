import { parseExactJson } from '../../../kube/exact-json.ts';
import { isStatus, retryAfterOf, type WatchEvent } from '../../../kube/object.ts';
import { ClusterProblem, type KubeStream } from '../../clusters/transport.ts';
import { isPlain, objectIn } from '../../objects/read.ts';
import type { Clock } from '../../kit/clock.ts';
import { BrokenWatch, CutWatch, SilentWatch } from './faults.ts';
import type { Intake } from './intake.ts';
import { reflectorLimits } from './limits.ts';

/** An event of a watch that is no error. */
export type ObjectEvent = Exclude<WatchEvent, { type: 'ERROR' }>;

const types: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']);

/** Reads one line of a watch. Throws ClusterProblem for an in-stream ERROR, BrokenWatch for what is no event. */
export function readEvent(line: string): ObjectEvent {
  if (line.length > reflectorLimits.line) throw new BrokenWatch('A line of the watch is too long.');
  let event: WatchEvent | null;
  try {
    event = parseExactJson(line) as WatchEvent | null;
  } catch (error) {
    throw new BrokenWatch('A line of the watch is not JSON.', { cause: error });
  }
  if (event === null || !types.has(event.type) || typeof event.object !== 'object' || event.object === null) {
    throw new BrokenWatch('A line of the watch is no event.');
  }
  // The types are of what the API promises, not of what came.
  if (event.type !== 'ERROR')
    return { ...event, object: isPlain(event.object) ? objectIn(event.object) : {} };
  const status = isStatus(event.object) ? event.object : undefined;
  throw new ClusterProblem(
    { status: 502, title: status?.message ?? 'The cluster ended a watch with an error.' },
    {
      status: status?.code ?? 500,
      reason: status?.reason,
      retryAfter: retryAfterOf(status),
      body: status,
    },
  );
}

/**
 * Follows the lines of a watch until the stream ends; closes it in every case.
 * Throws SilentWatch when nothing comes for too long, BrokenWatch when the stream breaks, the signal's reason when
 * aborted, and what reading a line throws. A cut wins even over a stream that never settles.
 * @param onHeard called with each line
 */
export async function followWatch(
  stream: KubeStream,
  signal: AbortSignal,
  clock: Clock,
  intake: Intake,
  onHeard?: () => void,
): Promise<void> {
  let heardAt = clock.now();
  let cancelIdle: (() => void) | undefined;
  const over = new AbortController();
  try {
    await new Promise<void>((resolve, reject) => {
      const watchSilence = (wait: number) => {
        cancelIdle = clock.after(wait, () => {
          const left = heardAt + reflectorLimits.silence - clock.now();
          if (left > 0) watchSilence(left);
          else reject(new SilentWatch(heardAt));
        });
      };
      watchSilence(reflectorLimits.silence);
      signal.addEventListener('abort', () => reject(signal.reason), { signal: over.signal });
      signal.throwIfAborted();
      intake.open(reject);
      const hear = (line: string) => {
        heardAt = clock.now();
        onHeard?.();
        if (line.trim() !== '') intake.push(line);
      };
      // Lines that arrived before the end are read first: they may say why it ended.
      stream.each(hear).then(
        () => {
          intake.take();
          resolve();
        },
        (error: unknown) => {
          intake.take();
          reject(
            error instanceof ClusterProblem || error instanceof SilentWatch
              ? error
              : new CutWatch('The watch broke.', { cause: error }),
          );
        },
      );
    });
  } finally {
    over.abort();
    intake.close();
    cancelIdle?.();
    stream.close();
  }
}
