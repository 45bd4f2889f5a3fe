import { expect, test } from 'vitest';
import { productTexts } from './shown-texts.ts';
import { textOf } from './sources.ts';
import { specQuotes } from './spec-quotes.ts';

const texts = productTexts();

/** The text that the source has where the specification has placeholders. */
const inSource = (quote: string): string => quote.replace(/\{[^}]+\}|\b[NM]\b/g, '{…}');

/** Shows texts of features to come, as examples. */
const testPages = 'src/web/screens/Tests/';

const sections = new Map(
  textOf('docs/specification.md')
    .split(/^## /m)
    .map((section) => [Number.parseInt(section, 10), section]),
);

test.each(specQuotes)('section $section has "$quote"', ({ section, quote }) => {
  expect(sections.get(section)).toContain(quote);
});

test.each(specQuotes.filter((one) => 'file' in one))('$file says "$quote"', ({ file, quote }) => {
  const said = texts.filter((one) => one.file === file).map(({ text }) => text);
  expect(said).toContain(inSource(quote));
});

test('a quote whose feature is there is no longer marked as later', () => {
  const later = specQuotes.filter((one) => 'later' in one).map(({ quote }) => inSource(quote));
  const said = texts.filter(({ file, text }) => !file.startsWith(testPages) && later.includes(text));
  expect(said).toEqual([]);
});
