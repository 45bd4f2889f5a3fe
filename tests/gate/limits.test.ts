import { expect, test } from 'vitest';
import { sources, textOf } from '../sources.ts';

/** Limit that vitest.config.ts gives each test and hook: enough for a machine with ten times as much to do. Milliseconds. */
const usual = 240_000;
/** Tests whose limit is what they prove. */
const proofs = ['an office of sixty signs in from one address within a minute'];

/** Tests and hooks of a text with a limit of their own below the usual one, by their first lines. */
function hasty(text: string): readonly string[] {
  const found: string[] = [];
  const open = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, begin] = /^(\s*)(?:test|it|beforeAll|beforeEach|afterAll|afterEach)\b/.exec(line) ?? [];
    if (begin !== undefined) open.set(begin, line.trim());
    const [, end, limit] = /^(\s*)\}, ([\d_]+)\);$/.exec(line) ?? [];
    if (end === undefined || limit === undefined) continue;
    const head = open.get(end);
    if (head !== undefined && Number(limit.replaceAll('_', '')) < usual) found.push(head);
    open.delete(end);
  }
  return found;
}

test('a limit of its own is found with the test or hook that has it', () => {
  const text = "  it('is late', async () => {\n    await wait();\n  }, 20_000);\n}, 300_000);\n";
  expect(hasty(text)).toEqual(["it('is late', async () => {"]);
});

test('no test and no hook gives up before a busy machine has come to it', () => {
  const files = sources('tests').filter((file) => !/^tests\/(?:e2e|shots|bench)\//.test(file));
  const found = files
    .flatMap((file) => hasty(textOf(file)).map((head) => `${file}: ${head}`))
    .filter((one) => !proofs.some((proof) => one.includes(proof)));
  expect(found, 'Remove the limit: vitest.config.ts has one for all.').toEqual([]);
});
