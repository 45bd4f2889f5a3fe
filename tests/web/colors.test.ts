import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { hexOf } from '../../src/web/kit/colors.ts';

const css = readFileSync(fileURLToPath(new URL('../../src/web/styles/tokens.css', import.meta.url)), 'utf8');
const tokens = [...css.matchAll(/--color-([\w-]+): light-dark\((#[0-9a-f]{6,8}), (#[0-9a-f]{6,8})\)/g)];
const looks = [
  { look: 'light', values: new Map(tokens.map(([, name = '', light = '']) => [name, light])) },
  { look: 'dark', values: new Map(tokens.map(([, name = '', , dark = '']) => [name, dark])) },
] as const;

/** Relative luminance of a colour in six digits, by WCAG 2.2. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const surfaces = ['deck', 'surface', 'raised', 'sunken', 'overlay'];
const rows = ['row-hover', 'row-selected', 'row-selected-hover', 'row-cursor'];
const tones = ['ok', 'warn', 'bad', 'idle', 'info'];
const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);

/** What stands on what, and the least contrast between them: 4.5 for texts, 3 for marks and edges. */
const needs: readonly (readonly [least: number, fronts: readonly string[], backs: readonly string[]])[] = [
  [
    4.5,
    ['text', 'text-2', 'text-3', 'accent-text', ...tones.map((tone) => `${tone}-fg`)],
    [...surfaces, ...rows],
  ],
  ...tones.flatMap((tone): typeof needs => [
    [4.5, [`${tone}-fg`], [`${tone}-bg`]],
    [4.5, [`${tone}-on`], [tone]],
    [3, [tone], [...surfaces, ...rows, `${tone}-bg`]],
  ]),
  [4.5, ['text', 'text-2'], ['fill', 'fill-hover', 'accent-soft']],
  [4.5, ['accent-on'], ['accent', 'accent-hover']],
  [4.5, ['accent-text'], ['accent-soft']],
  [4.5, ['brass'], ['brass-soft', 'raised', 'deck', 'surface']],
  [3, ['control', 'accent'], surfaces],
  [3, ['focus'], [...surfaces, ...rows]],
  ...numbered('cluster', 8).flatMap((mark): typeof needs => [
    [3, [mark], ['deck', 'surface', 'raised', `${mark}-soft`]],
    [4.5, ['text', 'text-2'], [`${mark}-soft`]],
  ]),
  [3, numbered('chart', 6), ['surface', 'raised']],
  [
    4.5,
    ['code-key', 'code-string', 'code-number', 'code-comment', 'code-punct'],
    ['surface', 'sunken', 'raised'],
  ],
  [4.5, ['text', 'text-2', 'code-key', 'code-string', 'code-number', 'code-punct'], ['diff-add', 'diff-del']],
  [4.5, ['text'], ['diff-add-word', 'diff-del-word', 'match']],
];

describe('colours', () => {
  it.each(looks)('read on everything they stand on, $look', ({ values }) => {
    const valueOf = (name: string): string => {
      const value = values.get(name);
      if (value === undefined) throw new Error(`There is no colour ${name}.`);
      return value;
    };
    const faint = needs.flatMap(([least, fronts, backs]) =>
      fronts.flatMap((front) =>
        backs.flatMap((back) => {
          const ratio = contrast(valueOf(front), valueOf(back));
          return ratio < least ? [`${front} on ${back}: ${ratio.toFixed(2)}, not ${least}`] : [];
        }),
      ),
    );
    expect(faint).toEqual([]);
  });

  it('are all defined for light and dark', () => {
    const single = [...css.matchAll(/--color-([\w-]+): #/g)].map(([, name]) => name);
    expect(single).toEqual(['white', 'black']);
    expect(tokens.length).toBeGreaterThan(80);
  });

  it.each([
    ['rgb(230, 235, 239)', '#e6ebef'],
    ['rgba(15, 26, 36, 0.35)', '#0f1a2459'],
    ['rgba(0, 0, 0, 0)', '#00000000'],
    ['rgb(0 10 255 / 0.5)', '#000aff80'],
    ['not a colour', '#000000'],
  ])('are read in digits: %s', (computed, hex) => {
    expect(hexOf(computed)).toBe(hex);
  });
});
