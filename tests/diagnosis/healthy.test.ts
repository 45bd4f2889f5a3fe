import { describe, expect, test } from 'vitest';
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
const broken: Readonly<Record<string, readonly string[]>> = {
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

/** All that the rules say of all objects of a playground. */
function readPlayground(seed: string) {
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
  const told: { readonly place: string; readonly rule: string; readonly isAdvice: boolean }[] = [];
  let objects = 0;
  for (const { group, version, kind, source } of kinds) {
    if (source !== undefined) continue;
    for (const root of world.all({ apiVersion: group === '' ? version : `${group}/${version}`, kind }) ??
      []) {
      objects += 1;
      const { namespace = '', name = '' } = root.metadata ?? {};
      for (const { rule } of diagnose(root, world, ruleBook))
        told.push({ place: `${namespace}/${name}`, rule, isAdvice: sorts.get(rule) === 'advice' });
    }
  }
  planted.stop();
  return { objects, told };
}

/** Each playground is read once. */
const readings = new Map<string, ReturnType<typeof readPlayground>>();

function saidOf(seed: string) {
  const found = readings.get(seed) ?? readPlayground(seed);
  readings.set(seed, found);
  return found;
}

describe('of what is healthy the rules say nothing', () => {
  test.each(Object.keys(broken))('in the playground %s', (seed) => {
    const { objects, told } = saidOf(seed);
    expect(objects).toBeGreaterThan(250);
    const isBroken = (place: string) =>
      broken[seed]?.some((one) => place === one || place.startsWith(`${one}-`)) === true;
    const wrong = told.filter(({ place, isAdvice }) => !isAdvice && !isBroken(place));
    expect(wrong.map(({ place, rule }) => `${rule} ${place}`)).toEqual([]);
  });

  test('advice is true, and no more than a few objects get any', () => {
    const advised = saidOf('company').told.filter(({ isAdvice }) => isAdvice);
    expect(advised.map(({ place, rule }) => `${rule} ${place}`).sort()).toEqual([
      'clusterrole.wildcard /argocd-server',
      'clusterrole.wildcard /cert-manager',
      'configmap.unused observability/prometheus-rules',
      'configmap.unused payments/ledger-settings',
      'configmap.unused shop/storefront-nginx',
      'configmap.unused shop/storefront-settings',
      'cronjob.suspended batch/cleanup',
    ]);
  });
});
