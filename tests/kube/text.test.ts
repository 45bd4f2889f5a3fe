import { expect, test } from 'vitest';
import { cleanText, cutText } from '../../src/kube/text.ts';

test.each([
  ['plain text', 'plain text'],
  ['two\nlines\tand a tab', 'two\nlines\tand a tab'],
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b]8;;https://example.org\u0007link\u001b]8;;\u0007, \u009b1mbold\u009bm', 'link, bold'],
  ['one\r\ntwo\rthree\n\rfour', 'one\ntwo\nthree\n\nfour'],
  ['a\u202egnp.exe', 'agnp.exe'],
  ['zero\u200bwidth\ufeff', 'zerowidth'],
  ['arabic\u061cmark, soft\u00adhyphen, line\u2028end', 'arabicmark, softhyphen, lineend'],
  ['क्\u200dष, 👩\u200d🚀', 'क्\u200dष, 👩\u200d🚀'],
  ['null\u0000byte\u009b', 'nullbyte'],
  // Letters without a shape, and tags, which spell text for a model that no person sees.
  ['web\u3164\u115f\u034f', 'web'],
  ['ok\u{e0049}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065}\u{e0100}', 'ok'],
  ['größe 日本 🚢', 'größe 日本 🚢'],
])('cluster text %j is shown as %j', (hostile, shown) => {
  expect(cleanText(hostile)).toBe(shown);
});

const address = 'ann@example.org';
test.each([
  ['short', 10, 'short'],
  ['one two', 3, 'one…'],
  ['one two', 5, 'one …'],
  [`by ${address}`, 8, 'by …'],
  [`by ${address} at`, 3 + address.length, `by ${address}…`],
  [`<${address}>`, 5, '<…'],
  ['key ghp_0123456789', 9, 'key …'],
  ['a'.repeat(400), 350, `${'a'.repeat(30)}…`],
])('%j is cut at %i without a part of a word', (text, limit, left) => {
  expect(cutText(text, limit)).toBe(left);
});
