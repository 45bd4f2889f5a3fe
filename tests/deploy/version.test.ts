import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { textOf } from '../sources.ts';

const { version } = JSON.parse(textOf('package.json')) as { readonly version: string };

test('the chart and the lock file have the version of package.json', () => {
  const chart = parse(textOf('deploy/chart/Chart.yaml')) as Readonly<Record<string, unknown>>;
  const lock = JSON.parse(textOf('package-lock.json')) as { readonly version: string };
  expect([chart['appVersion'], chart['version'], lock.version]).toEqual([version, version, version]);
});

test('the changelog begins with the version of package.json, and has what an upgrade to it needs', () => {
  const [, newest = ''] = textOf('docs/CHANGELOG.md').split(/^## /m);
  expect(newest.split('\n', 1)).toEqual([version]);
  expect(newest).toContain('\n### Before you upgrade\n');
});
