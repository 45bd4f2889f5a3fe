import { expect, it } from 'vitest';
import { createLimiter } from '../../../src/server/kit/limiter.ts';
import { Shares } from '../../../src/server/kit/shares.ts';
import { besideTurn, eachInTurn, inTurn, Turns } from '../../../src/server/kit/turns.ts';
import { clockAt } from '../clock-at.ts';

it('leaves its turn to others for all of a wait that has another wait in it', async () => {
  const waiting = { person: 9, company: 9, all: 9 };
  const shares = new Shares(
    { alone: 1, together: 1, recent: 0, waiting },
    clockAt(() => 0),
  );
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

it('makes each part of a stream in a turn of its own, and has none while a part is sent', async () => {
  const waiting = { person: 9, company: 9, all: 9 };
  const shares = new Shares(
    { alone: 1, together: 1, recent: 0, waiting },
    clockAt(() => 0),
  );
  const turns = new Turns(shares);
  const begun = turns.take({ company: 'a', person: 'p' });
  const whileMade: number[] = [];
  const isClosed = Promise.withResolvers<void>();
  async function* numbers() {
    try {
      for (let at = 0; ; at += 1) {
        await Promise.resolve();
        whileMade.push(shares.size.running);
        yield at;
      }
    } finally {
      isClosed.resolve();
    }
  }
  const other = turns.take({ company: 'a', person: 'q' });
  for await (const part of eachInTurn(begun, numbers())) {
    expect(shares.size.running).toBe(0);
    if (part === 0) {
      await other.begin();
      setImmediate(() => other.end());
    }
    if (part === 2) break;
  }
  await isClosed.promise;
  expect(whileMade).toEqual([1, 1, 1]);
  expect(shares.size).toEqual({ running: 0, waiting: 0 });
});
