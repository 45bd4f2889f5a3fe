import { describe, expect, it } from 'vitest';
import { OwnLimit } from '../../../src/server/kit/own-limit.ts';
import type { ClusterProblem } from '../../../src/server/clusters/transport.ts';
import { targetFor } from './api-server.ts';
import { useWire } from './wire.ts';

const wire = useWire();
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Keeps the process busy until the answer is there. */
async function busyUntil<T>(answer: Promise<T>): Promise<T> {
  const state = { isOver: false };
  const done = answer.finally(() => {
    state.isOver = true;
  });
  // Its failure is for whoever asked.
  done.catch(() => undefined);
  while (!state.isOver) {
    const step = performance.now() + 30;
    while (performance.now() < step);
    await turn();
  }
  return await done;
}

describe('a cluster whose answer does not come in time', () => {
  const ask = async (wait: <T>(answer: Promise<T>) => Promise<T>) => {
    const server = await wire.serve(() => {});
    const outcomes: unknown[] = [];
    const transport = wire.connect(targetFor(server.url, wire.authority().pem), {
      onOutcome: (problem) => outcomes.push(problem),
    });
    const error = await wait(
      transport.ask({ path: '/version', signal: AbortSignal.timeout(20_000), timeoutMs: 2_000 }).then(
        () => undefined,
        (failure: unknown) => failure,
      ),
    );
    return { error, outcomes };
  };

  it('an answer that was not read in time by a busy process is no failure of the cluster', async () => {
    const { error, outcomes } = await ask(busyUntil);
    expect(error).toBeInstanceOf(OwnLimit);
    expect((error as OwnLimit).title).toBe(
      'This console is busy and could not read from prod in time. It tries again in a moment.',
    );
    expect(outcomes).toEqual([]);
  });

  it('in a process that only waits it is one', async () => {
    const { error, outcomes } = await ask((answer) => answer);
    expect((error as ClusterProblem).title).toBe('prod did not answer within 2 s.');
    expect(outcomes).toEqual([error]);
  });
});
