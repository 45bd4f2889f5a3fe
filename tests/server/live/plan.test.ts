import { describe, expect, test } from 'vitest';
import { Problem } from '../../../src/contract/problem.ts';
import { ClusterProblem } from '../../../src/server/clusters/transport.ts';
import type { OpenParts } from '../../../src/server/live/page/open-parts.ts';
import { planOf } from '../../../src/server/live/page/plan.ts';
import { kindPatience } from '../../../src/server/live/page/waiting-channel.ts';
import { createPulse } from '../../../src/server/live/source/pulse.ts';
import { createFakeClock, settle } from './fake-clock.ts';
import { createScriptedTransport } from './script-transport.ts';

const clock = createFakeClock();
const pulse = createPulse({
  name: () => 'prod',
  transport: () => Promise.resolve(createScriptedTransport()),
  clock,
});
const message = { type: 'subscribe', id: 1, clusterId: 1, kind: 'crd:kettles.example.org' } as const;

/** Opens a subscription to a kind whose look-up fails like this. */
async function opened(failure: unknown) {
  const told: string[] = [];
  const asked = { renewed: 0, followed: [] as string[], left: 0 };
  const plan = await planOf(message, { declared: () => undefined, find: () => Promise.reject(failure) });
  // Of everything shared in a cluster a waiting subscription uses the definitions and the pulse alone.
  const definitions = {
    follow: (name: string) => {
      asked.followed.push(name);
      return () => {
        asked.left += 1;
      };
    },
  };
  const channel = plan.open({
    post: (type, body) => told.push(`${type} ${typeof body === 'string' ? body : body.plain.toString()}`),
    live: { definitions, pulse } as unknown as OpenParts['live'],
    access: {} as OpenParts['access'],
    clock,
    renew: () => {
      asked.renewed += 1;
    },
  });
  return { told, asked, channel };
}

describe('a subscription to a kind that cannot be looked up', () => {
  test('waits for a cluster that does not answer, and asks again by itself', async () => {
    const { told, asked, channel } = await opened(
      new ClusterProblem({ status: 502, title: 'It is away.' }, {}),
    );
    expect(told).toEqual([expect.stringContaining('"status":"unreachable"')]);
    expect(told[0]).toContain('It is away.');
    await clock.advance(kindPatience);
    expect(asked).toEqual({ renewed: 1, followed: [], left: 0 });
    channel.retry();
    expect(asked.renewed).toBe(2);
    const isBack = pulse.look();
    await settle();
    expect(asked.renewed).toBe(3);
    isBack();
    channel.leave();
    expect(clock.pending).toBe(0);
  });

  test('empties a list that is no longer defined, and follows its definition until it is left', async () => {
    const { told, asked, channel } = await opened(new Problem({ status: 404, title: 'It is not there.' }));
    expect(told).toEqual([
      'snapshot "reset":true,"done":true,"rows":[]',
      expect.stringContaining('"status":"absent"'),
    ]);
    expect(asked.followed).toEqual([message.kind]);
    channel.leave();
    expect([asked.left, clock.pending]).toEqual([1, 0]);
  });

  test('says that the console itself may not ask', async () => {
    const { told, channel } = await opened(new Problem({ status: 403, title: 'It may not ask.' }));
    expect(told).toEqual([expect.stringContaining('"status":"forbidden"')]);
    channel.leave();
  });

  test('hides no failure of the console itself', async () => {
    await expect(opened(new Error('A mistake.'))).rejects.toThrow('A mistake.');
    await expect(opened(new Problem({ status: 503, title: 'Away.' }))).rejects.toMatchObject({ status: 503 });
  });
});
