import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { auditPackages } from './audit-rules.ts';
import { judgeUnchecked, type VulnerabilityCheck } from './vulnerability-check.ts';

const sound = { version: '1.0.0', integrity: 'sha512-x', license: 'MIT' };

test('sound packages pass', () => {
  expect(
    auditPackages(
      { dependencies: { a: '1.0.0' }, devDependencies: { b: '2.0.0-beta.1' } },
      {
        '': {},
        'node_modules/a': { ...sound, resolved: 'https://packages.example/a/-/a-1.0.0.tgz' },
        'node_modules/a/node_modules/esbuild': { ...sound, hasInstallScript: true },
        'node_modules/@s/b': { ...sound, license: '(GPL-3.0 OR Apache-2.0)' },
      },
    ),
  ).toEqual([]);
});

test.each(['^1.0.0', '~1.0.0', '1.x', '*', 'latest', 'github:a/b', 'file:../a', '>=1.0.0', '1.0'])(
  'the version %j is not exact',
  (version) => {
    expect(auditPackages({ optionalDependencies: { a: version } }, {})).toEqual([
      `package.json: a is "${version}", which is not an exact version.`,
    ]);
  },
);

test.each([
  [{ ...sound, resolved: 'git+ssh://git@github.com/a/a.git#1' }, 'not from a registry over https'],
  [{ ...sound, resolved: 'http://packages.example/a.tgz' }, 'not from a registry over https'],
  [{ ...sound, integrity: 'sha1-x' }, 'no sha512 integrity'],
  [{ version: '1.0.0', license: 'MIT' }, 'no sha512 integrity'],
  [{ ...sound, license: 'AGPL-3.0' }, 'the licence AGPL-3.0'],
  [{ ...sound, license: 'MIT AND GPL-2.0' }, 'the licence MIT AND GPL-2.0'],
  [{ version: '1.0.0', integrity: 'sha512-x' }, 'the licence none stated'],
  [{ ...sound, hasInstallScript: true }, 'runs a script when it is installed'],
  [{ link: true, resolved: '../a' }, 'is a link'],
])('%j is found', (entry, sentence) => {
  expect(auditPackages({}, { 'node_modules/a': entry })).toEqual([expect.stringContaining(sentence)]);
});

test('packages of two registries are found', () => {
  expect(
    auditPackages(
      {},
      {
        'node_modules/a': { ...sound, resolved: 'https://packages.example/a.tgz' },
        'node_modules/b': { ...sound, resolved: 'https://packages.example.evil/b.tgz' },
      },
    ),
  ).toEqual(['Packages come from 2 registries: packages.example, packages.example.evil.']);
});

test('a platform build that the lock file lacks is found, and each needs its integrity, also of a development tool', () => {
  const tool = { ...sound, optionalDependencies: { 'tool-darwin': '1.0.0' } };
  const build = { version: '1.0.0', optional: true, os: ['darwin'], license: 'MIT' };
  expect(auditPackages({}, { 'node_modules/tool': tool })).toEqual([
    'tool-darwin 1.0.0 is missing from the lock file: npm ci would refuse it.',
  ]);
  for (const one of [build, { ...build, dev: true }])
    expect(auditPackages({}, { 'node_modules/tool': tool, 'node_modules/tool-darwin': one })).toEqual([
      expect.stringContaining('tool-darwin has no sha512 integrity in the lock file'),
    ]);
});

describe('known vulnerabilities that could not be checked', () => {
  const now = Date.parse('2026-11-29T12:00:00Z');
  const checked = (checkedAt: string) => ({ checkedAt, how: 'npm audit' });

  test.each([
    ['2026-11-29', false],
    ['2026-10-30', false],
    ['2026-10-29', true],
    ['2027-01-01', true],
    ['yesterday', true],
  ])('after a check of %s, CI fails: %s', (date, fails) => {
    expect(judgeUnchecked('405', checked(date), now, true).fails).toBe(fails);
    expect(judgeUnchecked('405', checked(date), now, false).fails).toBe(false);
  });

  test('without any check CI fails, and the sentence says why, since when, and what to do', () => {
    const { fails, sentence } = judgeUnchecked('the registry answered 405', undefined, now, true);
    expect(fails).toBe(true);
    expect(sentence).toMatch(/NOT checked \(the registry answered 405\).*last never\. Run npm run audit/);
    expect(judgeUnchecked('x', checked('2026-11-19'), now, true).sentence).toContain(
      '10 days ago, on 2026-11-19',
    );
  });
});

test('the check that is noted says how it was made', () => {
  const { checkedAt, how } = JSON.parse(
    readFileSync('tests/vulnerability-check.json', 'utf8'),
  ) as VulnerabilityCheck;
  expect(checkedAt).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(how).not.toBe('');
});
