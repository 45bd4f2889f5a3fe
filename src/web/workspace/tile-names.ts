/** Names of tiles, by their ids: sorted as text they are in reading order. */
export type TileNames = ReadonlyMap<string, string>;

/** Between two names that are given together, so that others fit between them. */
const gap = 2 ** 30;
const digits = 16;
const nameOf = (place: number) => String(place).padStart(digits, '0');

/** The longest part of some numbers that is in order already, by index. */
function longestRun(numbers: readonly number[]): readonly number[] {
  const best: (readonly number[])[] = [];
  for (const [index, number] of numbers.entries()) {
    const before = numbers
      .slice(0, index)
      .flatMap((one, at) => (one < number ? [best[at] ?? []] : []))
      .sort((a, b) => b.length - a.length)[0];
    best.push([...(before ?? []), index]);
  }
  return [...best].sort((a, b) => b.length - a.length)[0] ?? [];
}

/**
 * Names for tiles in reading order. Mosaic draws tiles in the order of their names, and the order of elements is that
 * of the Tab key. A tile keeps its name, and with it its element, unless it moved past others.
 * @param known the names of before; given back where they still fit
 * @param ids the tiles there are, in reading order
 */
export function namesOf(known: TileNames, ids: readonly string[]): TileNames {
  const old = ids.filter((id) => known.has(id));
  const numbers = old.map((id) => Number(known.get(id)));
  const kept = new Map(longestRun(numbers).flatMap((at) => [[old[at] ?? '', numbers[at] ?? 0]]));
  if (kept.size === ids.length && known.size === ids.length) return known;
  const places: number[] = [];
  for (const [index, id] of ids.entries()) {
    const own = kept.get(id);
    const before = places.at(-1) ?? 0;
    if (own !== undefined) {
      places.push(own);
      continue;
    }
    const rest = ids.slice(index);
    const next = rest.findIndex((one) => kept.has(one));
    const after = next < 0 ? undefined : kept.get(rest[next] ?? '');
    places.push(after === undefined ? before + gap : before + Math.floor((after - before) / (next + 1)));
  }
  const isSound = places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0));
  // No room is left between two of them: all get new names.
  return new Map(ids.map((id, at) => [id, nameOf(isSound ? (places[at] ?? 0) : (at + 1) * gap)]));
}
