import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileOf, importsOf, packageOf, root, sources, textOf } from './sources.ts';

const code = [...['src', 'commands', 'tests'].flatMap(sources), 'vite.config.ts', 'vitest.config.ts'];
/** Style sheets import fonts and Tailwind. */
const stylesheets = readdirSync(join(root, 'src/web/styles'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.css'))
  .map((name) => join('src/web/styles', name));
const imports = new Map(code.map((file) => [file, importsOf(file)]));

interface Package {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** What is used otherwise than by an import: types of other packages, and programs that scripts run. */
const programs: readonly string[] = ['@biomejs/biome', 'oxlint', 'oxlint-tsgolint', 'typescript'];

/** What other code calls without an import that can be found here. */
const calledByText: readonly string[] = [
  // The build writes calls of it into the editor's library.
  'src/web/features/editor/monaco/strict-elements.ts',
];

/** The names that a file exports by a declaration of its own. */
function exportsOf(file: string): string[] {
  return [
    ...textOf(file).matchAll(
      /^export (?:async )?(?:abstract )?(?:const|let|function\*?|class|interface|type|enum) ([A-Za-z_]\w*)/gm,
    ),
  ].map(([, name = '']) => name);
}

/** A file without its comments: what is only talked about is not used. */
const withoutComments = (text: string) =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');

describe('nothing is kept that nobody uses', () => {
  test('every package is imported somewhere', () => {
    const { dependencies, devDependencies } = JSON.parse(textOf('package.json')) as Package;
    const imported = new Set([...imports.values()].flat().flatMap((one) => packageOf(one) ?? []));
    // Style sheets import packages, and some are only asked for the place of a file.
    const texts = [...stylesheets, ...code].map(textOf).join('\n');
    const named = (name: string) =>
      [`@import "${name}`, `@import '${name}`, `url('${name}/`, `resolve('${name}/`].some((text) =>
        texts.includes(text),
      );
    const unused = Object.keys({ ...dependencies, ...devDependencies }).filter(
      (name) =>
        !imported.has(name) && !programs.includes(name) && !name.startsWith('@types/') && !named(name),
    );
    expect(unused).toEqual([]);
  });

  test('every exported name is used in its own file or imported by another one', () => {
    const taken = new Map<string, Set<string>>();
    const whole = new Set<string>();
    for (const [file, found] of imports)
      for (const one of found) {
        if (packageOf(one) !== undefined) continue;
        const target = fileOf(file, one);
        if (one.names === undefined) whole.add(target);
        else taken.set(target, new Set([...(taken.get(target) ?? []), ...one.names]));
      }
    const unused = code
      .filter((file) => !file.startsWith('tests/') && !whole.has(file) && !calledByText.includes(file))
      .flatMap((file) => {
        const text = withoutComments(textOf(file));
        return exportsOf(file)
          .filter((name) => taken.get(file)?.has(name) !== true)
          .filter((name) => (text.match(new RegExp(`(?<![\\w$])${name}(?![\\w$])`, 'g')) ?? []).length < 2)
          .map((name) => `${file} ${name}`);
      });
    expect(unused, 'Remove `export`, or the declaration if its own file does not use it either').toEqual([]);
  });
});
