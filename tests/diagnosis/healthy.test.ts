import { describe, expect, test } from 'vitest';
import { brokenPlaces, type PlaygroundReading, readPlayground } from './healthy.ts';

/** Each playground is read once. */
const readings = new Map<string, PlaygroundReading>();

function readingOf(seed: string): PlaygroundReading {
  const found = readings.get(seed) ?? readPlayground(seed);
  readings.set(seed, found);
  return found;
}

describe('of what is healthy the rules say nothing', () => {
  test.each(Object.keys(brokenPlaces))('in the playground %s', (seed) => {
    const { objects, wrong } = readingOf(seed);
    expect(objects).toBeGreaterThan(250);
    expect(wrong).toEqual([]);
  });

  test('advice is true, and no more than a few objects get any', () => {
    expect(readingOf('company').advice.toSorted()).toEqual([
      'clusterrole.wildcard /argocd-server',
      'clusterrole.wildcard /cert-manager',
    ]);
  });
});
