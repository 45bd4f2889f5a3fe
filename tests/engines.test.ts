import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { textOf } from './sources.ts';

/** The Node that README names for npm: what npm installs must not ask for a later one. */
const earliest = [20, 19, 0] as const;

/** Packages that ask for a later Node all the same. README says why, since `npm ci` prints a warning for each. */
const explained = ['pg-boss', 'undici'];

interface Lock {
  readonly packages: Readonly<Record<string, { readonly engines?: { readonly node?: string } }>>;
}

/** Whether a range of `engines` allows the earliest Node: alternatives of `>=`, `^` or a bare version. */
function allowsEarliest(range: string): boolean {
  return range.split('||').some((alternative) => {
    const [, operator = '', version = ''] = /^\s*(>=|\^)?\s*([\d.x*]+)/.exec(alternative) ?? [];
    const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number(part) || 0);
    if (operator !== '>=') return major === earliest[0] && minor <= earliest[1];
    return major !== earliest[0]
      ? major < earliest[0]
      : minor < earliest[1] || (minor === earliest[1] && patch === 0);
  });
}

test('npm ci on the earliest Node prints engine warnings for the packages alone that README explains', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
  const later = Object.entries(packages)
    .filter(
      ([path, { engines }]) => path !== '' && engines?.node !== undefined && !allowsEarliest(engines.node),
    )
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(later).toEqual(explained);
  const readme = textOf('README.md');
  expect(readme).toContain(`Node ${earliest[0]}.${earliest[1]} or later`);
  for (const name of explained) expect(readme).toContain(`\`${name}\``);
});

test.each([
  ['>=18', true],
  ['>= 0.8', true],
  ['^20.19.0 || >=22.12.0', true],
  ['20 || >=22', true],
  ['>=16 || 14 >=14.17', true],
  ['>=22', false],
  ['^18.0.0 || >=22.0.0', false],
  ['>=20.20.0', false],
])('a package for Node %s is installed without a warning: %s', (range, isAllowed) => {
  expect(allowsEarliest(range)).toBe(isAllowed);
});
