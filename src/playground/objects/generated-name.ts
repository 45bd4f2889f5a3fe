import { randomName } from '../kit/random.ts';
import { keyOf } from '../store/store.ts';
import type { World } from '../store/world.ts';

/** Maximum number of attempts to generate an unused name, as servers do since 1.30. */
const nameTries = 8;

/** A name for a new object that begins like this; one that is taken only when all tries met one that is. */
export function generateName(
  { store, chance }: World,
  storage: string,
  namespace: string | undefined,
  base: string,
): string {
  for (let tries = 1; ; tries += 1) {
    const name = `${base.slice(0, 58)}${randomName(chance, 5)}`;
    if (tries === nameTries || store.get(storage, keyOf(namespace, name)) === undefined) return name;
  }
}
