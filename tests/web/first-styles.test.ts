import { expect, test } from 'vitest';
import { stylesFor } from '../../src/build/first-styles.ts';

const sheet = [
  '@layer theme,base,utilities;@layer base{a{color:red}}',
  '@layer utilities{.flex{display:flex}.p-1{padding:4px}.p-1\\.5{padding:6px}',
  '@media (hover:hover){.hover\\:bg-x:hover{color:"}"}}.group:is(.a,.b) .c{top:0}}@property --tw-x{syntax:"*"}',
].join('');

test('the styles of some code are the utilities that it names, in their order, and all that are none', () => {
  const styles = stylesFor(sheet, 'className:"p-1.5 hover:bg-x"');
  expect(styles).toBe(
    '@layer theme,base,utilities;@layer base{a{color:red}}@layer utilities{.p-1\\.5{padding:6px}@media (hover:hover){.hover\\:bg-x:hover{color:"}"}}}',
  );
});

test('a class that is only a part of another word is not named', () => {
  expect(stylesFor('@layer utilities{.p-1{padding:4px}}', '"p-1.5"')).toBe('@layer utilities{}');
});

test('of the theme remain the properties that a rule, another property or the code refers to', () => {
  const css =
    '@layer theme{:root{--a:red;--b:var(--a);--c:blue;--d:var(--c);--e:1px}}@layer base{a{color:var(--b)}}';
  expect(stylesFor(css, 'style:{width:"--e"}')).toBe(
    '@layer theme{:root{--a:red;--b:var(--a);--e:1px}}@layer base{a{color:var(--b)}}',
  );
});
