import { kinds } from '../../commands/kinds/index.ts';
import { ManualClock } from '../../src/playground/kit/clock.ts';
import { keyedChance } from '../../src/playground/kit/random.ts';
import { loadRegistry } from '../../src/playground/registry/registry.ts';
import { plant } from '../../src/playground/seeds/plant.ts';
import { Store } from '../../src/playground/store/store.ts';
import { diagnose } from '../../src/server/diagnosis/diagnose.ts';
import { ruleBook } from '../../src/server/diagnosis/rule-book.ts';
import { worldOf } from './lab-world.ts';

/** Long after the start, and before the incident of the company begins, ms. */
const quiet = 6 * 60_000;

/** What is broken in a playground from the beginning, so that there is something to see, by the names of its objects. */
export const brokenPlaces: Readonly<Record<string, readonly string[]>> = {
  company: [
    'batch/invoice-render',
    'batch/scratch',
    'payments/fraud-scorer',
    'payments/psp-gateway',
    'payments/settlement-worker',
    'platform/argocd-server',
    'platform/ci-runner',
    'platform/vault',
    'shop/email-worker',
    'shop/image-proxy',
    'shop/recommendations',
  ],
  staging: ['payments/ledger'],
};

/** What the rules say of a playground; each finding as `rule namespace/name`. */
export interface PlaygroundReading {
  readonly objects: number;
  /** Said of what is healthy. */
  readonly wrong: readonly string[];
  readonly advice: readonly string[];
}

/** Asks the rules about every object of a playground. */
export function readPlayground(seed: string): PlaygroundReading {
  const clock = new ManualClock(Date.parse('2026-03-02T10:00:00Z'));
  const bare = {
    store: new Store(3_000, 4_811_200),
    registry: loadRegistry(),
    clock,
    chance: keyedChance(7),
    serviceAccounts: true,
    trust: {},
  };
  const planted = plant(bare, { seed, controllers: true, activity: false, churn: 0 });
  clock.advance(quiet);
  const world = worldOf(planted.world);
  const sorts = new Map(ruleBook.rules.map(({ id, sort }) => [id, sort]));
  const isBroken = (place: string) =>
    brokenPlaces[seed]?.some((one) => place === one || place.startsWith(`${one}-`)) === true;
  const wrong: string[] = [];
  const advice: string[] = [];
  let objects = 0;
  for (const { group, version, kind, source } of kinds) {
    if (source !== undefined) continue;
    const apiVersion = group === '' ? version : `${group}/${version}`;
    for (const root of world.all({ apiVersion, kind }) ?? []) {
      objects += 1;
      const { namespace = '', name = '' } = root.metadata ?? {};
      const place = `${namespace}/${name}`;
      for (const { rule } of diagnose(root, world, ruleBook)) {
        if (sorts.get(rule) === 'advice') advice.push(`${rule} ${place}`);
        else if (!isBroken(place)) wrong.push(`${rule} ${place}`);
      }
    }
  }
  planted.stop();
  return { objects, wrong, advice };
}
