import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { earlyModule, laterModules, listModule } from '../../src/build/first-modules.ts';

const root = join(import.meta.dirname, '../..');

/** Modules that a file asks for as parts that nobody waits for. */
const laterPartsIn = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/lazyLater\(\s*async \(\) => \(await import\('([^']+)'\)\)/g)].map(
    ([, path = '']) => relative(root, join(dirname(file), path)),
  );

test('every part that loads after the first screen is in the one chunk of such parts', () => {
  const files = readdirSync(join(root, 'src/web'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => join(root, 'src/web', name));
  const parts = files.flatMap(laterPartsIn);
  expect(parts.length).toBeGreaterThan(5);
  const listed = laterModules.map((path) => relative(root, path));
  expect(parts.filter((path) => !listed.includes(path))).toEqual([]);
});

/** Imports of a module that run before it: files, and names of packages. Types cost nothing. */
function importedBy(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  if (!/\.tsx?$/.test(file)) return found;
  const code = readFileSync(file, 'utf8');
  for (const [, , from = ''] of code.matchAll(
    /^(import|export) (?!type )[^;]*?from '([^']+)'(?: with [^;]*)?;/gm,
  ))
    if (from.startsWith('.')) importedBy(join(dirname(file), from), found);
    else found.add(from);
  for (const [, from = ''] of code.matchAll(/^import '([^']+)';/gm))
    importedBy(join(dirname(file), from), found);
  return found;
}

const first = [
  ...[join(root, 'src/web/main.tsx'), earlyModule, listModule].reduce(
    (found, module) => importedBy(module, found),
    new Set<string>(),
  ),
];

test('a list begins with these packages, and with no code of kinds', () => {
  expect(first.filter((name) => !name.startsWith('/')).sort()).toEqual([
    '@legendapp/state',
    '@tanstack/react-query',
    '@tanstack/react-router',
    '@tanstack/router-core',
    'class-variance-authority',
    'lucide-react',
    'react',
    'react-dom',
    'react-dom/client',
  ]);
  const ofKinds = first.filter((name) => /\/commands\/(?:kinds|templates)\//.test(name));
  expect(ofKinds.map((name) => relative(root, name)).sort()).toEqual([
    'commands/kinds/first-facts.json',
    'commands/kinds/first-facts.ts',
  ]);
});

test('whatever loads later waits for the styles of everything', () => {
  const waits =
    /(?:lazyPart|lazyLater)\(\s*async \(\) => \(await (?:load\(\)|import\()|wholeStyles\(\)|const load = \(\) => import\(/;
  const careless = first
    .filter((name) => name.startsWith(join(root, 'src/web')) && /\.tsx?$/.test(name))
    .filter((name) => {
      const code = readFileSync(name, 'utf8');
      return /\bimport\('[^']+\.tsx'\)/.test(code) && (!waits.test(code) || /\blazy\(/.test(code));
    });
  expect(careless.map((name) => relative(root, name))).toEqual([]);
});
