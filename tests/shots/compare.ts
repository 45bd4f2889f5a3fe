// npm run shots:compare -- BEFORE AFTER [DIFFERENCES]
// Lists the pictures that differ between two folders, with the share of pixels that do, and draws the difference of
// each in a third folder. Exits with 1 when anything differs.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

/** How one picture came out: the share of its pixels that differ, or why it cannot be compared. */
export type Comparison = { readonly share: number; readonly picture: PNG } | { readonly reason: string };

/** Compares two pictures pixel by pixel; every difference of colour counts, however small. */
export function comparePictures(before: PNG, after: PNG): Comparison {
  const { width, height } = before;
  if (after.width !== width || after.height !== height)
    return { reason: `${width}x${height} became ${after.width}x${after.height}` };
  const picture = new PNG({ width, height });
  const options = { threshold: 0, includeAA: true, alpha: 0.2 };
  const count = pixelmatch(before.data, after.data, picture.data, width, height, options);
  return { share: count / (width * height), picture };
}

const picturesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.png')).sort();

const read = async (folder: string, name: string): Promise<PNG> =>
  PNG.sync.read(await readFile(join(folder, name)));

/** Compares two folders and gives a line for each picture that differs, the largest difference first. */
export async function compareFolders(
  before: string,
  after: string,
  differences: string,
): Promise<readonly string[]> {
  const [had, has] = [await picturesIn(before), await picturesIn(after)];
  const both = has.filter((name) => had.includes(name));
  await mkdir(differences, { recursive: true });
  const found: { readonly share: number; readonly line: string }[] = [];
  for (const name of both) {
    const result = comparePictures(await read(before, name), await read(after, name));
    if ('reason' in result) found.push({ share: 1, line: `${name}: ${result.reason}` });
    else if (result.share > 0) {
      await writeFile(join(differences, name), PNG.sync.write(result.picture));
      found.push({ share: result.share, line: `${name}: ${(result.share * 100).toFixed(3)} %` });
    }
  }
  return [
    ...found.sort((a, b) => b.share - a.share).map(({ line }) => line),
    ...had.filter((name) => !has.includes(name)).map((name) => `${name}: only in ${before}`),
    ...has.filter((name) => !had.includes(name)).map((name) => `${name}: only in ${after}`),
  ];
}

if (import.meta.main) {
  const [before, after, differences = 'shots/differences'] = process.argv.slice(2);
  if (before === undefined || after === undefined) {
    process.stderr.write('npm run shots:compare -- BEFORE AFTER [DIFFERENCES]\n');
    process.exit(2);
  }
  const lines = await compareFolders(resolve(before), resolve(after), resolve(differences));
  process.stdout.write(lines.length === 0 ? 'All pictures are equal.\n' : `${lines.join('\n')}\n`);
  process.exitCode = lines.length === 0 ? 0 : 1;
}
