import type { Bounds } from './bounds.ts';
import type { Answer } from './connections.ts';
import { splitLines } from './lines.ts';
import type { ClusterProblem, KubeStream } from './transport.ts';

const longestLine = 16 * 1024 * 1024;

/**
 * The lines of an answer that has begun. Closing it, or the caller's own abort, ends them quietly;
 * a connection that breaks ends them with the problem that `toProblem` makes of it.
 */
export function openStream(
  answer: Answer,
  bounds: Bounds,
  toProblem: (error: unknown) => ClusterProblem,
  keepsReturns = false,
): KubeStream {
  let isOver = false;
  const finish = () => {
    if (isOver) return;
    isOver = true;
    bounds.end();
    answer.release();
  };
  answer.response.body.once('close', finish);

  async function* read() {
    try {
      yield* splitLines(answer.response.body as AsyncIterable<Uint8Array>, longestLine, keepsReturns);
    } catch (error) {
      if (!bounds.signal.aborted) throw toProblem(error);
    } finally {
      finish();
    }
  }

  return {
    lines: read(),
    close() {
      bounds.abort();
      finish();
    },
  };
}
