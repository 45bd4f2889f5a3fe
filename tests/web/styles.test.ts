import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const web = resolve(import.meta.dirname, '../../src/web');
const sheets = readdirSync(web, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.css'))
  .map((name) => ({ name, text: readFileSync(join(web, name), 'utf8') }));

/** Lines of CSS in all files together; lowered with every file that becomes utilities, down to 900. */
const mostLines = 727;
/** Files that became utilities and do not come back. */
const converted: readonly string[] = [
  'styles/dashboard.css',
  'styles/detail.css',
  'styles/editor.css',
  'styles/forced.css',
  'styles/graph.css',
  'styles/keys.css',
  'styles/logs.css',
  'styles/metrics.css',
  'styles/narrow.css',
  'styles/overlays.css',
  'styles/palette.css',
  'styles/screens.css',
  'styles/shell.css',
  'styles/table.css',
  'styles/terminal.css',
];
/** Global files of their own: none of them styles a class. */
const withoutClasses = [
  'styles/elements.css',
  'styles/tokens.css',
  'styles/variants.css',
  'styles/fonts.css',
];

const withoutComments = (text: string): string => text.replaceAll(/\/\*[^]*?\*\//g, '');
/** Names of the classes that a sheet's selectors speak of. */
function classesIn(text: string): readonly string[] {
  const selectors = withoutComments(text).matchAll(/(?:^|[{};])([^{};@]+)\{/g);
  return [...selectors].flatMap(([, selector = '']) =>
    [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name),
  );
}

describe('components are styled by utilities', () => {
  test('there is less and less global CSS', () => {
    const lines = sheets.map(({ text }) => text.split('\n').length - 1);
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(mostLines);
  });

  test('what became utilities has no sheet again', () => {
    const names = sheets.map(({ name }) => name);
    expect(names.filter((name) => converted.includes(name))).toEqual([]);
  });

  test.each(withoutClasses)('%s styles no class', (name) => {
    const sheet = sheets.find((one) => one.name === name);
    expect(sheet).toBeDefined();
    expect(classesIn(sheet?.text ?? '')).toEqual([]);
  });
});
