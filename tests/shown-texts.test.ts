import { expect, test } from 'vitest';
import { textsIn } from './shown-texts.ts';

const shownIn = (text: string): string[] =>
  textsIn('example.tsx', text)
    .filter(({ isShown }) => isShown)
    .map((one) => one.text);

test.each([
  ['a property that people read', `const a = { title: 'Restart' };`, ['Restart']],
  ['an attribute that people read', `<b aria-label="Close" className="Grid of tiles" />;`, ['Close']],
  ['a problem', 'throw new Problem({ status: 404, title: `No pod ${name}` });', ['No pod {…}']],
  ['a refusal', `throw new Refusal('Read-only');`, ['Read-only']],
  ['a toast', `toast.error(isOld ? 'Stale' : 'Gone', { id: 'one' });`, ['Stale', 'Gone']],
  ['the words of an element', `<p>\n  {count} of <b>{all}</b> rows\n</p>;`, ['{…} of {…} rows']],
  ['a text in an element', `<p>{isBusy ? 'Busy' : 'Idle'}</p>;`, ['Busy', 'Idle']],
  [
    'a table of texts',
    `const createTexts = { valid: 'Valid', of: (n: number) => \`\${n} rows\` };`,
    ['Valid', '{…} rows'],
  ],
  [
    'a sentence in any other place',
    `return 'The cluster does not answer.';`,
    ['The cluster does not answer.'],
  ],
  ['a sentence in parts', `x('The cluster ' + name + ' is gone.');`, ['The cluster {…} is gone.']],
])('%s is listed', (_, text, expected) => {
  expect(shownIn(text)).toEqual(expected);
});

test.each([
  ['a log line', `log.warn({ id }, 'The job could not be stored');`],
  ['a class name', `<b className="Grid of tiles" />;`],
  ['a comparison', `if (title === 'The first one') return;`],
  ['an identifier', `const kind = 'Deployment';`],
  ['a type', `type Tone = 'A tone of colour';`],
])('%s is not listed', (_, text) => {
  expect(shownIn(text)).toEqual([]);
});

test('an entry has the line of its text', () => {
  expect(textsIn('example.ts', `const a = 1;\n\nexport const b = { label: 'Age' };`)).toEqual([
    { file: 'example.ts', line: 3, text: 'Age', isShown: true },
  ]);
});
