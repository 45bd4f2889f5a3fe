import { expect, it } from 'vitest';
import { Lanes } from '../../../src/server/kit/lanes.ts';

it('runs so many tasks of a company at a time, by turns of its people, and those of another one beside them', async () => {
  const lanes = new Lanes(2);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const run = (company: string, person: string) =>
    lanes.run({ company, person }, async () => {
      begun.push(`${company}/${person}`);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  const all = [...['p', 'p', 'p', 'p', 'q'].map((person) => run('a', person)), run('b', 'r')];
  await expect.poll(() => begun).toEqual(['a/p', 'a/p', 'b/r']);
  for (const count of [4, 5]) {
    ends.shift()?.();
    await expect.poll(() => begun).toHaveLength(count);
  }
  // Of those that waited the person who had none yet is not the last.
  expect(begun.slice(3)).toEqual(['a/p', 'a/q']);
  for (const end of ends.splice(0)) end();
  await expect.poll(() => begun).toHaveLength(6);
  for (const end of ends) end();
  await Promise.all(all);
});

it('lets the next one run after one that fails', async () => {
  const lanes = new Lanes(1);
  const owner = { company: 'a', person: 'p' };
  const failing = lanes.run(owner, () => Promise.reject(new Error('no')));
  const next = lanes.run(owner, () => Promise.resolve('yes'));
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
