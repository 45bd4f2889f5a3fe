import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, textOf } from './sources.ts';

/** A requirement of docs/asvs.md, and how it is met. */
interface Requirement {
  readonly id: string;
  readonly level: string;
  readonly answer: string;
}

const requirements: readonly Requirement[] = [
  ...textOf('docs/asvs.md').matchAll(/^\| (V[\d.]+) +\| (\d) +\| [^|]+ \| ([^|]+?) *\|$/gm),
].map(([, id = '', level = '', answer = '']) => ({ id, level, answer }));

/** The ids and levels of the standard, in its order. */
const standard = textOf('tests/asvs-5.0.0.txt')
  .split('\n')
  .filter((line) => line.startsWith('V'));

/** Tests that an answer names: a file, and titles in it. */
const namedTests = (answer: string) =>
  [...answer.matchAll(/`(tests\/[^`]+\.(?:test|spec)\.ts)`: ("[^"]+"(?:; "[^"]+")*)/g)].flatMap(
    ([, file = '', titles = '']) =>
      [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ file, title })),
  );

/** The titles of the tests of a file: texts before a comma. What a title of a journey adds of its hands is left out. */
function titlesOf(file: string): ReadonlySet<string> {
  const texts = textOf(file).matchAll(/(['"`])((?:\\.|(?!\1)[^\\])*)\1\s*,/g);
  return new Set(
    [...texts].map(([, , text = '']) => text.replaceAll(/\\(.)/g, '$1').replace(/ \(\$\{\w+\}\)$/, '')),
  );
}

const isExcused = (answer: string): boolean => /^(?:not applicable|unmet): .{10,}/.test(answer);

test('each requirement of the standard stands once, in its order and with its level', () => {
  expect(standard).toHaveLength(280);
  expect(requirements.map(({ id, level }) => `${id} ${level}`)).toEqual(standard);
});

test('each has a test, a document, a place in the sources, or a reason why not', () => {
  const unanswered = requirements.filter(
    ({ answer }) =>
      !isExcused(answer) &&
      namedTests(answer).length === 0 &&
      !/^document: .*\]\([^)]+\)/.test(answer) &&
      !/^by reading: .{10,}/.test(answer),
  );
  expect(unanswered).toEqual([]);
});

test('each test that is named exists under its title', () => {
  const titles = new Map<string, ReadonlySet<string>>();
  const missing = requirements.flatMap(({ id, answer }) =>
    namedTests(answer)
      .filter(({ file, title }) => {
        if (!existsSync(join(root, file))) return true;
        const known = titles.get(file) ?? titlesOf(file);
        titles.set(file, known);
        return !known.has(title);
      })
      .map(({ file, title }) => `${id}: ${file}: ${title}`),
  );
  expect(missing).toEqual([]);
});

test('docs/security.md lists the requirements that are not met, and no other', () => {
  const [, listed = ''] = /## What is not met\n([^]*?)(?=\n## |$)/.exec(textOf('docs/security.md')) ?? [];
  const unmet = requirements.filter(({ answer }) => answer.startsWith('unmet: ')).map(({ id }) => id);
  expect([...listed.matchAll(/\bV\d+\.\d+\.\d+\b/g)].map(([id]) => id)).toEqual(unmet);
});

test('each promise of consistency in docs/security.md has its test', () => {
  const [, table = ''] = /## Consistency\n([^]*?)(?=\n## )/.exec(textOf('docs/security.md')) ?? [];
  const promises = table
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2);
  expect(promises.length).toBeGreaterThan(10);
  const untested = promises.filter(
    (line) => namedTests(line).length === 0 && !line.includes('`npm run soak`'),
  );
  expect(untested).toEqual([]);
});
