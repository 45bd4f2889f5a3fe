import { randomName } from '../kit/random.ts';
import { keyOf } from '../store/store.ts';
import type { World } from '../store/world.ts';

/** Maximum number of attempts to generate an unused name, as in servers since 1.30. */
const nameTries = 8;

/** Generates a name with this prefix; it is in use only if all attempts failed. */
export function generateName(
  { store, chance }: World,
  storage: string,
  namespace: string | undefined,
  base: string,
): string {
  const source = chance.of(`${storage} ${namespace ?? ''} ${base}`);
  for (let tries = 1; ; tries += 1) {
    const name = `${base.slice(0, 58)}${randomName(source, 5)}`;
    if (tries === nameTries || store.get(storage, keyOf(namespace, name)) === undefined) return name;
  }
}
