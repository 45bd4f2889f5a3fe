import { expect, test } from 'vitest';
import { create } from '../../src/playground/life/write.ts';
import { at, type Rec, rec } from '../../src/playground/kit/values.ts';
import { Lab } from './lab.ts';

function budget(lab: Lab, spec: Rec): void {
  create(lab.world, 'policy/poddisruptionbudgets', 'default', {
    metadata: { name: 'shop' },
    spec: { selector: { matchLabels: { app: 'shop' } }, ...spec },
  });
}
const status = (lab: Lab) => rec(lab.get('policy/poddisruptionbudgets', 'shop')['status']);

test("a budget expects the Deployment's replicas even while a rollout has more pods", () => {
  const lab = new Lab();
  lab.deploy('shop', { replicas: 4 });
  budget(lab, { maxUnavailable: '25%' });
  lab.advance(20);
  expect(status(lab)).toMatchObject({ expectedPods: 4, desiredHealthy: 3, disruptionsAllowed: 1 });
  lab.release('shop', 'example/app:missing');
  lab.advance(20);
  expect(lab.pods('shop').length).toBeGreaterThan(4);
  expect(status(lab)).toMatchObject({ expectedPods: 4, desiredHealthy: 3 });
});

test('a budget reports that its pods cannot be counted, or that it matches none', () => {
  const lab = new Lab();
  budget(lab, { minAvailable: '50%' });
  lab.advance(5);
  expect(lab.events('shop')).toContain('Normal NoPods: No matching pods found');
  create(lab.world, 'apps/daemonsets', 'default', {
    metadata: { name: 'shop' },
    spec: {
      selector: { matchLabels: { app: 'shop' } },
      template: {
        metadata: { labels: { app: 'shop' } },
        spec: { containers: [{ name: 'main', image: 'example/app:1' }] },
      },
    },
  });
  lab.advance(20);
  const why = 'daemonsets.apps does not implement the scale subresource';
  expect(lab.condition(lab.get('policy/poddisruptionbudgets', 'shop'), 'DisruptionAllowed')).toMatchObject({
    status: 'False',
    reason: 'SyncFailed',
    message: why,
  });
  expect(lab.events('shop')).toContain(
    `Warning CalculateExpectedPodCountFailed: Failed to calculate the number of expected pods: ${why}`,
  );
});

test('a granted eviction that never happens times out after two minutes and is reported', () => {
  const lab = new Lab();
  lab.deploy('shop', { replicas: 3 });
  budget(lab, { minAvailable: 2 });
  lab.advance(20);
  const [pod] = lab.pods('shop');
  const name = pod?.metadata.name ?? '';
  const object = lab.get('policy/poddisruptionbudgets', 'shop');
  const disruptedPods = { [name]: new Date(lab.clock.now()).toISOString() };
  lab.change('policy/poddisruptionbudgets', { ...object, status: { ...status(lab), disruptedPods } });
  lab.advance(5);
  expect(status(lab)).toMatchObject({ currentHealthy: 2, disruptionsAllowed: 0 });
  lab.advance(125);
  expect(status(lab)).toMatchObject({ currentHealthy: 3, disruptionsAllowed: 1 });
  expect(at(status(lab), 'disruptedPods')).toBeUndefined();
  expect(lab.events(name)).toContain(
    "Warning NotDeleted: Pod was expected by PDB default/shop to be deleted but it wasn't",
  );
});
