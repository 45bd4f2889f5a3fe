import { isStatus, retryAfterOf, type WatchEvent } from '../../kube/object.ts';
import { ClusterProblem, type KubeStream } from '../clusters/transport.ts';
import { isPlain, objectIn } from '../objects/read.ts';
import type { Clock } from './clock.ts';
import { BrokenWatch, SilentWatch } from './faults.ts';
import { reflectorLimits } from './limits.ts';

/** An event of a watch that is no error. */
export type ObjectEvent = Exclude<WatchEvent, { type: 'ERROR' }>;

const types: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']);

/** Reads one line of a watch. Throws ClusterProblem for an in-stream ERROR, BrokenWatch for what is no event. */
export function readEvent(line: string): ObjectEvent {
  if (line.length > reflectorLimits.line) throw new BrokenWatch('A line of the watch is too long.');
  let event: WatchEvent | null;
  try {
    event = JSON.parse(line) as WatchEvent | null;
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
 * aborted, and what `accept` throws. A cut wins even over a stream that never settles.
 */
export async function followWatch(
  stream: KubeStream,
  signal: AbortSignal,
  clock: Clock,
  accept: (line: string) => void,
): Promise<void> {
  const lines = stream.lines[Symbol.asyncIterator]();
  let heardAt = clock.now();
  let cut: ((reason: unknown) => void) | undefined;
  let cancelIdle: (() => void) | undefined;
  const watchSilence = (wait: number) => {
    cancelIdle = clock.after(wait, () => {
      const left = heardAt + reflectorLimits.silence - clock.now();
      if (left > 0) watchSilence(left);
      else cut?.(new SilentWatch(heardAt));
    });
  };
  const aborted = () => cut?.(signal.reason);
  signal.addEventListener('abort', aborted);
  watchSilence(reflectorLimits.silence);
  try {
    for (;;) {
      signal.throwIfAborted();
      // A promise of its own for each line: racing one long-lived promise would hold every line's reaction.
      const result = await new Promise<IteratorResult<string>>((resolve, reject) => {
        cut = reject;
        lines
          .next()
          .then(resolve, (error: unknown) =>
            reject(
              error instanceof ClusterProblem ? error : new BrokenWatch('The watch broke.', { cause: error }),
            ),
          );
      });
      if (result.done === true) return;
      heardAt = clock.now();
      if (result.value.trim() !== '') accept(result.value);
    }
  } finally {
    cut = undefined;
    cancelIdle?.();
    signal.removeEventListener('abort', aborted);
    stream.close();
  }
}
