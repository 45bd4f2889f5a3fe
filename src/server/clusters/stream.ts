import { finished } from 'node:stream';
import type { Bounds } from './bounds.ts';
import type { Answer } from './answer.ts';
import { createLineSplitter, splitLines } from './lines.ts';
import type { ClusterProblem, KubeStream } from './transport.ts';

const maxLineLength = 16 * 1024 * 1024;

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
  const { body } = answer.response;
  let isOver = false;
  const finish = () => {
    if (isOver) return;
    isOver = true;
    bounds.end();
    answer.release();
  };
  body.once('close', finish);

  async function* read() {
    try {
      yield* splitLines(body as AsyncIterable<Uint8Array>, maxLineLength, keepsReturns);
    } catch (error) {
      if (!bounds.signal.aborted) throw toProblem(error);
    } finally {
      finish();
    }
  }

  function each(onLine: (line: string) => void): Promise<void> {
    const splitter = createLineSplitter(maxLineLength, keepsReturns);
    return new Promise((resolve, reject) => {
      finished(body, { writable: false }, (error) => {
        finish();
        if (error == null) {
          const rest = splitter.rest();
          if (rest !== undefined) onLine(rest);
        }
        if (error == null || bounds.signal.aborted) resolve();
        else reject(toProblem(error));
      });
      body.on('data', (chunk: Uint8Array) => {
        try {
          for (const line of splitter.push(chunk)) onLine(line);
        } catch (error) {
          body.destroy(error as Error);
        }
      });
    });
  }

  return {
    lines: read(),
    each,
    close() {
      bounds.abort();
      finish();
    },
  };
}
