import { expect, test } from 'vitest';
import { type PodNamePart, podNamePattern } from '../../src/kube/pod-names.ts';

const fits = (name: string, parts: readonly PodNamePart[], pod: string) =>
  new RegExp(`^(?:${podNamePattern(name, parts)})$`).test(pod);

test.each<[string, readonly PodNamePart[], string]>([
  ['web', ['hash', 'chance'], 'web-6d4cf56db6-x2v9k'],
  ['web', ['chance'], 'web-x2v9k'],
  ['db', ['ordinal'], 'db-0'],
  ['db', ['ordinal'], 'db-12'],
  ['copy', ['index', 'chance'], 'copy-x2v9k'],
  ['copy', ['index', 'chance'], 'copy-3-x2v9k'],
  ['a.b', ['chance'], 'a.b-x2v9k'],
])('the pods of %s by %j are found: %s', (name, parts, pod) => {
  expect(fits(name, parts, pod)).toBe(true);
});

test.each<[string, readonly PodNamePart[], string]>([
  ['web', ['hash', 'chance'], 'web-api-6d4cf56db6-x2v9k'],
  ['web', ['hash', 'chance'], 'web-0'],
  ['web', ['hash', 'chance'], 'webs-6d4cf56db6-x2v9k'],
  ['web', ['chance'], 'web-api-x2v9k'],
  ['web', ['chance'], 'my-web-x2v9k'],
  ['a.b', ['chance'], 'axb-x2v9k'],
])('the pods of others are not those of %s by %j: %s', (name, parts, pod) => {
  expect(fits(name, parts, pod)).toBe(false);
});

test('a name that leaves no room is cut as the API server cuts it', () => {
  const pod = (base: string) => `${base.slice(0, 58)}x2v9k`;
  for (const length of [46, 47, 50, 57, 58, 63]) {
    const name = 'n'.repeat(length);
    expect([length, fits(name, ['hash', 'chance'], pod(`${name}-6d4cf56db6-`))]).toEqual([length, true]);
    expect([length, fits(name, ['chance'], pod(`${name}-`))]).toEqual([length, true]);
  }
});
