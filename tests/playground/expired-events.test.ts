import { expect, test } from 'vitest';
import { create } from '../../src/playground/life/write.ts';
import { Lab } from './lab.ts';

test('an event goes an hour after it was made or last seen, whatever older times it names', () => {
  const lab = new Lab();
  const involvedObject = { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'web-0' };
  const old = { firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp: '2026-01-01T00:05:00Z' };
  const ahead = { ...old, lastTimestamp: '2026-03-01T08:30:00Z' };
  for (const [name, times] of Object.entries({ old, ahead })) {
    const made = create(lab.world, '/events', 'default', { metadata: { name }, involvedObject, ...times });
    expect(made, name).toBeDefined();
  }
  const kept = () => ['old', 'ahead'].filter((name) => lab.world.store.get('/events', `default/${name}`));
  lab.advance(58 * 60);
  expect(kept()).toEqual(['old', 'ahead']);
  lab.advance(5 * 60);
  expect(kept()).toEqual(['ahead']);
  lab.advance(30 * 60);
  expect(kept()).toEqual([]);
});
