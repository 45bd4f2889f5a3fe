import { describe, expect, it } from 'vitest';
import { kindOfObject } from '../../commands/kinds/index.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { refKey } from '../../src/registry/kinds/refs.ts';
import { diagnose, merged } from '../../src/server/diagnosis/diagnose.ts';
import { ruleBook } from '../../src/server/diagnosis/rule-book.ts';
import { workloadOf } from '../../src/server/diagnosis/rules/pod-parts.ts';
import { nameOf, type World } from '../../src/server/diagnosis/world.ts';

const now = Date.parse('2026-03-01T08:00:00Z') / 1000;

/** A world of these objects alone. */
function worldOf(...objects: readonly KubeObject[]): World {
  const byKey = new Map(objects.map((object) => [refKey(nameOf(object)), object]));
  return {
    now,
    one: (named) => byKey.get(refKey(named)) ?? null,
    all: ({ kind }) => objects.filter((object) => object.kind === kind),
    facts: () => null,
    log: () => undefined,
    kindOf: ({ apiVersion, kind }) => kindOfObject(apiVersion, kind),
  };
}

const rulesAt = (object: KubeObject, ...others: readonly KubeObject[]) =>
  diagnose(object, worldOf(object, ...others), ruleBook).map(({ rule }) => rule);

const replicaSet = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web-1', namespace: 'shop', uid: 'web-1' },
  spec: { replicas: 1 },
  status: { replicas: 0 },
};

it('a cause counts each object once, however many questions lead to it', () => {
  const pods = ['a', 'b'].map((name) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'shop',
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-1', uid: 'web-1', controller: true },
      ],
    },
    status: { reason: 'Evicted', message: 'The node was low on resource: memory.' },
  }));
  const world = worldOf(...pods);
  const causes = [...pods, ...pods.toReversed()].flatMap((pod) => diagnose(pod, world, ruleBook));
  expect(merged(causes).map(({ rule, objects }) => [rule, objects.size])).toEqual([['pod.evicted', 2]]);
});

it('the workload of a pod is found also where owners name one another in a circle', () => {
  const ownedBy = (name: string, owner: string) => ({
    ...replicaSet,
    metadata: {
      name,
      namespace: 'shop',
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, uid: owner, controller: true },
      ],
    },
  });
  const objects = [ownedBy('a', 'b'), ownedBy('b', 'a')];
  expect(workloadOf(ownedBy('a', 'b'), worldOf(...objects))).toMatchObject({ kind: 'ReplicaSet' });
});

describe('refused pods are told of', () => {
  const refusal = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e', namespace: 'shop' },
    type: 'Warning',
    reason: 'FailedCreate',
    message: 'pods "web-1-x" is forbidden: exceeded quota: small',
    eventTime: '2026-03-01T06:00:00Z',
  };

  it('by an event that began long ago and goes on', () => {
    const series = { count: 9, lastObservedTime: '2026-03-01T07:59:00Z' };
    expect(rulesAt(replicaSet, { ...refusal, series } as KubeObject)).toEqual(['workload.quota']);
  });

  it('not by one that is over', () => {
    expect(rulesAt(replicaSet, refusal as KubeObject)).toEqual([]);
  });
});

describe('the size of a config map is what the API server counts', () => {
  const configMap = (data: object): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'web', namespace: 'kube-system' },
    ...data,
  });
  const size = 950 * 1024;

  it('bytes of text, not characters', () => {
    expect(rulesAt(configMap({ data: { text: 'é'.repeat(size / 2) } }))).toEqual(['configmap.large']);
  });

  it('bytes of binary data, not of their base64', () => {
    const binaryData = { image: Buffer.alloc(size * 0.8).toString('base64') };
    expect(rulesAt(configMap({ binaryData }))).toEqual([]);
    const [found] = diagnose(
      configMap({ binaryData: { image: Buffer.alloc(size).toString('base64') } }),
      worldOf(),
      ruleBook,
    );
    expect(found?.evidence).toMatchObject([{ path: 'binaryData[image]', value: `${size} bytes` }]);
  });
});
