import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { __unstable__loadDesignSystem as loadDesignSystem } from 'tailwindcss';
import { describe, expect, test } from 'vitest';
import { root, sources } from '../sources.ts';
import { classNamesIn } from './class-names.ts';

const web = join(root, 'src/web');
const sheets = readdirSync(web, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.css'))
  .map((name) => ({ name, text: readFileSync(join(web, name), 'utf8') }));

/** Lines of CSS in all files together, at most. */
const maxLines = 900;
/** What is global: tokens, bare elements, and the insides of other people's widgets. */
const globalSheets = [
  'features/editor/monaco/monaco.css',
  'features/graph/canvas.css',
  'styles/elements.css',
  'styles/fonts.css',
  'styles/index.css',
  'styles/mosaic.css',
  'styles/tokens.css',
  'styles/variants.css',
];
/** Global files of their own: none of them styles a class. */
const withoutClasses = [
  'styles/elements.css',
  'styles/tokens.css',
  'styles/variants.css',
  'styles/fonts.css',
];

/** Classes that are no utilities, each with why it is there. */
const named: Readonly<Record<string, string>> = {
  near: 'on an edge of React Flow, whose insides canvas.css styles',
  lucide: 'the icons of the sprite have the classes that lucide-react gives its own',
  'lucide-…': 'the same, by the name of the icon',
};

/** Utilities that are important, each with what it would otherwise lose against. */
const important: Readonly<Record<string, string>> = {
  'text-accent-text!': 'the tick of a menu: the item’s own rule for its icons is the more specific one',
  'low:*:h-7!': 'the bar of a log: a low window is often a narrow one too, in which buttons ask for 44 px',
};

/** Whether each class is a utility of the page's sheet, as Tailwind itself decides when it builds it. */
async function utilitiesAmong(names: readonly string[]): Promise<ReadonlySet<string>> {
  const from = createRequire(join(web, 'styles/index.css'));
  const system = await loadDesignSystem(readFileSync(join(web, 'styles/index.css'), 'utf8'), {
    base: join(web, 'styles'),
    loadStylesheet: (id, base) => {
      const path = id.startsWith('.')
        ? resolve(base, id)
        : from.resolve(id === 'tailwindcss' ? `${id}/index.css` : id);
      return Promise.resolve({ path, base: dirname(path), content: readFileSync(path, 'utf8') });
    },
  });
  const css = system.candidatesToCss([...names]);
  return new Set(names.filter((name, at) => css[at] !== null || isLookedFor(name, names)));
}

/** Whether it only names an element, as `group/row` does, for a utility of another one: `group-hover/row:visible`. */
function isLookedFor(name: string, names: readonly string[]): boolean {
  const [, kind, own = ''] = /^(group|peer)(\/.+)?$/.exec(name) ?? [];
  return kind !== undefined && names.some((one) => one.includes(`${kind}-`) && one.includes(`${own}:`));
}

const withoutComments = (text: string): string => text.replaceAll(/\/\*[^]*?\*\//g, '');
/** Names of the classes that a sheet's selectors speak of. */
function classesIn(text: string): readonly string[] {
  const selectors = withoutComments(text).matchAll(/(?:^|[{};])([^{};@]+)\{/g);
  return [...selectors].flatMap(([, selector = '']) =>
    [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name),
  );
}

describe('components are styled by utilities', () => {
  test('there is little global CSS', () => {
    const lines = sheets.map(({ text }) => text.split('\n').length - 1);
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(maxLines);
  });

  test('no component has a sheet', () => {
    expect(sheets.map(({ name }) => name).sort()).toEqual(globalSheets);
  });

  test('a menu that closes has no animation, since Radix may wait for the end of one for ever', () => {
    const { uses } = classNamesIn(sources('src/web'));
    const coming = uses.filter(({ name }) => /animate-(?:menu-in|appear)$/.test(name));
    expect(coming.length).toBeGreaterThan(2);
    expect(coming.filter(({ name }) => !name.startsWith('data-[state=open]:'))).toEqual([]);
  });

  test('every class of a component is a utility, or known by name with a reason', async () => {
    const { uses, unread } = classNamesIn(sources('src/web'));
    expect(unread, 'classes that this test cannot follow').toEqual([]);
    const names = [...new Set(uses.map(({ name }) => name))];
    const utilities = await utilitiesAmong(names);
    expect(Object.keys(named).filter((name) => !names.includes(name))).toEqual([]);
    expect(uses.filter(({ name }) => !utilities.has(name) && named[name] === undefined)).toEqual([]);
  });

  test('a utility is important only where its reason is known', () => {
    const { uses } = classNamesIn(sources('src/web'));
    const found = uses.map(({ name }) => name).filter((name) => /!$|(?:^|:)!/.test(name));
    expect([...new Set(found)].sort()).toEqual(Object.keys(important).sort());
  });

  test.each(withoutClasses)('%s styles no class', (name) => {
    const sheet = sheets.find((one) => one.name === name);
    expect(sheet).toBeDefined();
    expect(classesIn(sheet?.text ?? '')).toEqual([]);
  });
});
