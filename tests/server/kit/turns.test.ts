import { expect, it } from 'vitest';
import { createLimiter } from '../../../src/server/kit/limiter.ts';
import { Shares } from '../../../src/server/kit/shares.ts';
import { besideTurn, inTurn, Turns } from '../../../src/server/kit/turns.ts';

it('leaves its turn to others for all of a wait that has another wait in it', async () => {
  const waiting = { person: 9, company: 9, all: 9 };
  const shares = new Shares({ alone: 1, together: 1, recent: 0, waiting }, () => 0);
  const turn = new Turns(shares).take({ company: 'a', person: 'p' });
  await turn.begin();
  const limiter = createLimiter(1);
  const before = Promise.withResolvers<void>();
  void limiter.run(() => before.promise);
  const duringTask: number[] = [];
  const call = inTurn(turn, () =>
    besideTurn(() =>
      limiter.run(async () => {
        duringTask.push(shares.size.running);
      }),
    ),
  );
  before.resolve();
  await call;
  expect(duringTask).toEqual([0]);
  expect(shares.size.running).toBe(1);
  turn.end();
});
