import { expect, test } from 'vitest';
import { cleanText } from '../../src/kube/text.ts';

test.each([
  ['plain text', 'plain text'],
  ['two\nlines\tand a tab', 'two\nlines\tand a tab'],
  ['\u001b[31mred\u001b[0m', '[31mred[0m'],
  ['one\r\ntwo\rthree\n\rfour', 'one\ntwo\nthree\n\nfour'],
  ['a\u202egnp.exe', 'agnp.exe'],
  ['zero\u200bwidth\ufeff', 'zerowidth'],
  ['arabic\u061cmark, soft\u00adhyphen, line\u2028end', 'arabicmark, softhyphen, lineend'],
  ['क्\u200dष, 👩\u200d🚀', 'क्\u200dष, 👩\u200d🚀'],
  ['null\u0000byte\u009b', 'nullbyte'],
  ['größe 日本 🚢', 'größe 日本 🚢'],
])('cluster text %j is shown as %j', (hostile, shown) => {
  expect(cleanText(hostile)).toBe(shown);
});
