import { describe, expect, test } from 'vitest';
import { createKnownData } from '../../src/web/data/live/known.ts';
import { unknownList } from '../../src/web/data/live/rows.ts';
import type { ListTarget } from '../../src/web/data/live/targets.ts';

/** What is known, and the timers that it set. */
function world() {
  const timers = new Set<() => void>();
  const known = createKnownData((run) => {
    timers.add(run);
    return () => timers.delete(run);
  });
  const pass = () => {
    for (const run of timers) run();
    timers.clear();
  };
  return { known, pass };
}
const pods: ListTarget = { clusterId: 1, kind: 'pod' };
const list = unknownList('2026-01-01T00:00:00Z');

describe('the data of live targets', () => {
  test('reaches the listeners of its target, once for each change', () => {
    const { known } = world();
    const heard: string[] = [];
    known.subscribe(pods, () => heard.push('pods'));
    known.subscribe({ clusterId: 2, kind: 'pod' }, () => heard.push('others'));
    known.put(pods, list);
    known.put(pods, list);
    expect(heard).toEqual(['pods']);
    expect(known.get({ ...pods, namespace: undefined })).toBe(list);
  });

  test('stays while it has listeners, and for a while after', () => {
    const { known, pass } = world();
    const end = known.subscribe(pods, () => {});
    known.put(pods, list);
    pass();
    expect(known.get(pods)).toBe(list);
    end();
    expect(known.get(pods)).toBe(list);
    pass();
    expect(known.get(pods)).toBeUndefined();
  });

  test('data that arrived before the first listener is kept for a while', () => {
    const { known, pass } = world();
    known.put(pods, list);
    known.subscribe(pods, () => {});
    pass();
    expect(known.get(pods)).toBe(list);
  });

  test('is cleared when the person signs out, and listeners are called', () => {
    const { known } = world();
    let heard = 0;
    known.put(pods, list);
    known.subscribe(pods, () => {
      heard += 1;
    });
    known.clear();
    expect([known.get(pods), heard]).toEqual([undefined, 1]);
  });
});
