import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type LockedPackages,
  packagesImportedBy,
  packagesNeededBy,
} from '../../src/server/boot/image-contents.ts';

const root = resolve(import.meta.dirname, '../..');

describe('packages that a module takes code from', () => {
  test.each([
    ["import { sql } from 'drizzle-orm/pg-core';", ['drizzle-orm']],
    ["import {\n  type A,\n  b,\n} from '@fastify/static';", ['@fastify/static']],
    ["import 'reflect-metadata';", ['reflect-metadata']],
    ["const { createServer } = await import('vite');", ['vite']],
    ["cel ??= createRequire(import.meta.url)('@marcbachmann/cel-js') as Cel;", ['@marcbachmann/cel-js']],
    ["import type { A } from 'typescript';\nimport { b } from 'pg';", ['pg']],
    ["const load: () => Promise<typeof import('vite')> = f;", []],
    ["import { join } from 'node:path';\nimport { a } from './a.ts';", []],
  ])('are found in %j', (text, names) => {
    expect(packagesImportedBy(text)).toEqual(names);
  });
});

test('packages are needed with what they need, each from the nearest folder that has it', () => {
  const packages: LockedPackages = {
    'node_modules/a': { dependencies: { b: '1' }, peerDependencies: { absent: '1' } },
    'node_modules/a/node_modules/b': { optionalDependencies: { c: '1' } },
    'node_modules/b': {},
    'node_modules/c': { dependencies: { a: '1' } },
  };
  expect([...packagesNeededBy(['a'], packages)]).toEqual([
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/c',
  ]);
});

describe('an image', () => {
  const { packages } = JSON.parse(readFileSync(resolve(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: LockedPackages;
  };
  const parts = ['server', 'playground', 'contract', 'kube', 'registry'];
  const modules = globSync([...parts.map((part) => `src/${part}/**/*.{ts,mjs}`), 'commands/kinds/**/*.ts'], {
    cwd: root,
  });
  const names = modules.flatMap((file) => packagesImportedBy(readFileSync(resolve(root, file), 'utf8')));
  const needed = packagesNeededBy(names, packages);

  test.each(['fastify', 'pg', 'pg-boss', 'zod', 'yaml', 'ws', 'undici', '@marcbachmann/cel-js', 'pino'])(
    'brings %s, which the server runs',
    (name) => {
      expect(needed).toContain(`node_modules/${name}`);
    },
  );

  test.each([
    'react',
    'react-dom',
    'monaco-editor',
    'cmdk',
    '@tanstack/react-router',
    'react-mosaic-component',
  ])('leaves out %s, which the page alone was built from', (name) => {
    expect(packages).toHaveProperty([`node_modules/${name}`]);
    expect(needed).not.toContain(`node_modules/${name}`);
  });
});
