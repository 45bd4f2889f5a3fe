import { QueryClient, queryOptions } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import type { Job } from '../../src/contract/jobs.ts';
import { createKnownData } from '../../src/web/data/live/known.ts';
import type { ObjectTarget } from '../../src/web/data/live/targets.ts';
import { type Ended, lifeOfNews, OwnWork } from '../../src/web/features/notifications/own-work.ts';

const ref = { cluster: '1', kind: 'deployment', namespace: 'shop', name: 'web' };
const target: ObjectTarget = {
  type: 'object',
  clusterId: 1,
  kind: 'deployment',
  namespace: 'shop',
  name: 'web',
};

/** A page that follows what was begun on it, with time and the server at hand. */
function page(job: () => Partial<Job> = () => ({})) {
  const known = createKnownData(() => () => undefined);
  const timers = new Map<() => void, number>();
  const followed = new Set<ObjectTarget>();
  const told: Ended[] = [];
  const work = new OwnWork({
    known,
    live: {
      follow: (one: ObjectTarget) => {
        followed.add(one);
        return () => followed.delete(one);
      },
    } as never,
    queryClient: new QueryClient(),
    queries: {
      jobs: (clusterId: number) =>
        queryOptions({ queryKey: ['jobs', clusterId], queryFn: () => Promise.resolve([job()]) }),
    } as never,
    later: (run, ms) => {
      timers.set(run, ms);
      return () => timers.delete(run);
    },
    tell: (ended) => told.push(ended),
  });
  const show = (label: string, tone: string) =>
    known.put(target, { complete: true, view: { status: [label, tone] } } as never);
  /** Runs what is due within this time, ms. */
  const pass = (within: number) => {
    for (const [run, ms] of timers)
      if (ms <= within) {
        timers.delete(run);
        run();
      }
  };
  return { work, show, pass, followed, told };
}

describe('a rollout that somebody began', () => {
  it.each([
    ['ok', 'Available', { title: 'shop/web: Rollout done', isGood: true }],
    ['bad', 'Rollout stuck', { title: 'shop/web: Rollout failed', isGood: false }],
  ])('is told once it ends (%s), and followed no longer', (tone, label, ended) => {
    const { work, show, followed, told } = page();
    work.rollout(ref);
    show('Available', 'ok');
    expect(told, 'the status of before').toEqual([]);
    show('Progressing', 'info');
    show(label, tone);
    show('Available', 'ok');
    expect(told).toEqual([{ ref, ...ended }]);
    expect(followed.size).toBe(0);
  });

  it('is none where the status stays as it was, or the object goes', () => {
    const { work, show, pass, followed, told } = page();
    work.rollout(ref);
    show('Available', 'ok');
    pass(15_000);
    expect(followed.size).toBe(0);
    show('Progressing', 'info');
    show('Available', 'ok');
    expect(told).toEqual([]);
  });
});

describe('a job that somebody began', () => {
  it('is asked for until it is over', async () => {
    let status: Job['status'] = 'running';
    const node = { kind: 'node', name: 'n1' };
    const { work, pass, told } = page(() => ({ id: 7, ref: node, title: 'Drain n1', status }));
    work.job(1, 7);
    pass(4_000);
    status = 'succeeded';
    await expect
      .poll(() => {
        pass(4_000);
        return told;
      })
      .toEqual([{ ref: { cluster: '1', ...node }, title: 'Drain n1: done', isGood: true }]);
  });
});

describe('news of it', () => {
  it('stays until it is closed where nobody looks at the page, and is as short as any else', () => {
    expect(lifeOfNews(true)).toEqual({ duration: Number.POSITIVE_INFINITY });
    expect(lifeOfNews(false)).toEqual({});
  });
});
