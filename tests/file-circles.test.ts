import { expect, test } from 'vitest';
import { fileOf, importsOf, packageOf, sources } from './sources.ts';

const files = ['src', 'commands'].flatMap(sources);

/** The circles of imports among files, types included: each is the files that reach one another. */
function fileCircles(): readonly (readonly string[])[] {
  const known = new Set(files);
  const targets = new Map(
    files.map((file) => [
      file,
      importsOf(file)
        .filter((one) => !one.dynamic && packageOf(one) === undefined)
        .map((one) => fileOf(file, one))
        .filter((target) => known.has(target)),
    ]),
  );
  // Tarjan's algorithm: a file whose lowest reachable number is its own closes a circle.
  const numbers = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): number => {
    const own = numbers.size;
    numbers.set(file, own);
    open.push(file);
    let low = own;
    for (const target of targets.get(file) ?? []) {
      if (!numbers.has(target)) low = Math.min(low, visit(target));
      else if (open.includes(target)) low = Math.min(low, numbers.get(target) ?? own);
    }
    if (low === own) {
      const circle = open.splice(open.indexOf(file));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return low;
  };
  for (const file of files) if (!numbers.has(file)) visit(file);
  return circles;
}

test('no file imports one that imports it again, by whatever way, types included', () => {
  expect(fileCircles()).toEqual([]);
});
