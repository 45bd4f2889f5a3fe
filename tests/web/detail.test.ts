import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { customKind } from '../../commands/kinds/custom.ts';
import { deployment } from '../../commands/kinds/deployment.ts';
import { event } from '../../commands/kinds/event.ts';
import { node } from '../../commands/kinds/node.ts';
import { formatBytes, formatCores } from '../../src/kube/format-quantity.ts';
import { factsOf } from '../../src/registry/kinds/kind-facts.ts';
import { fullKind } from '../../src/web/core/kinds/full.ts';
import { kindNameOf } from '../../src/web/core/kinds/names.ts';
import { objectPath } from '../../src/web/data/object-path.ts';
import { conditionLines, conditionTone } from '../../src/web/features/detail/condition-tone.ts';
import { containerLines, endText } from '../../src/web/features/detail/containers.ts';
import { Related } from '../../src/web/features/detail/Related.tsx';
import { ownersOf, podsWhere, relatedOf } from '../../src/web/features/detail/related.ts';

const now = Date.parse('2026-01-01T01:00:00Z');

describe('containers', () => {
  test('of a pod have their state, why they wait and how they ended the last time', () => {
    const pod = {
      spec: {
        initContainers: [{ name: 'setup', image: 'setup:1' }],
        containers: [
          {
            name: 'app',
            image: 'app:1',
            resources: { requests: { memory: '1Gi', cpu: '100m' }, limits: { memory: '2Gi' } },
          },
        ],
      },
      status: {
        initContainerStatuses: [
          { name: 'setup', state: { terminated: { exitCode: 0, reason: 'Completed' } } },
        ],
        containerStatuses: [
          {
            name: 'app',
            restartCount: 4,
            state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m' } },
            lastState: { terminated: { exitCode: 1, reason: 'Error', finishedAt: '2026-01-01T00:58:00Z' } },
          },
        ],
      },
    };
    expect(containerLines(pod as object, now)).toMatchObject([
      { name: 'setup', isInit: true, status: { tone: 'idle', label: 'Completed' } },
      {
        name: 'app',
        restarts: 4,
        status: { tone: 'bad', label: 'CrashLoopBackOff' },
        note: 'back-off 5m · Last time it ended with exit code 1 (Error) 2m ago',
        resources: ['cpu 100m / –', 'memory 1Gi / 2Gi'],
      },
    ]);
  });

  test('of a template have none', () => {
    const spec = { template: { spec: { containers: [{ name: 'app', image: 'app:1' }] } } };
    expect(containerLines({ spec } as object, now)).toEqual([
      { name: 'app', isInit: false, image: 'app:1', ports: [], resources: [] },
    ]);
  });

  test('a bare object has none, and a bare end says what is known', () => {
    expect(containerLines({}, now)).toEqual([]);
    expect(endText({}, now)).toBe('ended with exit code unknown');
    expect(endText({ signal: 9 }, now)).toBe('ended with signal 9');
  });
});

test.each([
  [{ type: 'Ready', status: 'True' }, 'ok'],
  [{ type: 'Ready', status: 'False' }, 'warn'],
  [{ type: 'MemoryPressure', status: 'False' }, 'idle'],
  [{ type: 'MemoryPressure', status: 'True' }, 'warn'],
  [{ type: 'ReplicaFailure', status: 'True' }, 'warn'],
  [{ type: 'Progressing', status: 'Unknown' }, 'info'],
])('the condition %j', (condition, tone) => expect(conditionTone(condition)).toBe(tone));

describe('the conditions of a custom object', () => {
  const route = { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', custom: { printerColumns: [] } };
  const shown = (status: unknown, kind: Parameters<typeof conditionLines>[0] = route) =>
    conditionLines(kind, { status } as object).map(({ of, type, tone }) => [of, type, tone]);

  test('are those of its parts as well, the worst first', () => {
    const parents = [
      { parentRef: { name: 'edge' }, conditions: [{ type: 'Accepted', status: 'True' }] },
      { conditions: [{ type: 'ResolvedRefs', status: 'False', reason: 'BackendNotFound' }] },
    ];
    expect(shown({ parents })).toEqual([
      ['Parent', 'ResolvedRefs', 'bad'],
      ['Parent edge', 'Accepted', 'ok'],
    ]);
  });

  test('have the tones that the status of the object takes them for', () => {
    const kettle = { group: 'example.org', kind: 'Kettle', custom: { printerColumns: [] } };
    const conditions = [
      { type: 'Ready', status: 'True' },
      { type: 'Stalled', status: 'False' },
      { type: 'Sparkling', status: 'False' },
      { type: 'NotReady', status: 'True' },
      { type: 'Warning', status: 'True' },
    ];
    expect(shown({ conditions }, kettle)).toEqual([
      ['', 'NotReady', 'bad'],
      ['', 'Warning', 'warn'],
      ['', 'Ready', 'ok'],
      ['', 'Stalled', 'idle'],
      ['', 'Sparkling', 'idle'],
    ]);
  });

  test.each([[7], [{ conditions: {} }], [{ conditions: [null, 7, {}] }], [{ parents: { a: 1 } }]])(
    'are none in a status that holds none: %j',
    (status) => {
      expect(shown(status)).toEqual([]);
      expect(shown(status, { group: 'apps', kind: 'Deployment' })).toEqual([]);
    },
  );
});

describe('other objects', () => {
  test('owners are found in the namespace, or in none', () => {
    const owner = (kind: string, apiVersion: string, controller?: boolean) => ({
      kind,
      apiVersion,
      name: 'x',
      uid: 'u',
      ...(controller === undefined ? {} : { controller }),
    });
    const object = {
      metadata: {
        namespace: 'shop',
        ownerReferences: [
          owner('Node', 'v1'),
          owner('ReplicaSet', 'apps/v1', true),
          owner('Rollout', 'argoproj.io/v1'),
        ],
      },
    };
    const found = ownersOf('1', object, (id) => id === 'node');
    expect(found.map(({ kind, ref }) => [kind, ref])).toEqual([
      ['ReplicaSet', { cluster: '1', kind: 'replicaset', namespace: 'shop', name: 'x' }],
      ['Node', { cluster: '1', kind: 'node', name: 'x' }],
      ['Rollout', { cluster: '1', kind: 'argoproj.io~~Rollout', namespace: 'shop', name: 'x' }],
    ]);
  });

  test('pods are asked for by selector or by node, never all of them', () => {
    expect(podsWhere(node, { metadata: { name: 'a1' } })).toEqual({ node: 'a1' });
    expect(podsWhere(deployment, { spec: { selector: { matchLabels: { app: 'x' } } } } as object)).toEqual({
      labels: 'app=x',
    });
    expect(podsWhere(deployment, {})).toBeUndefined();
    expect(podsWhere(node, {})).toBeUndefined();
  });

  test('have a page by their kind, or the generic one', () => {
    expect(objectPath({ cluster: '1', kind: 'pod', namespace: 's', name: 'a' }, 'logs')).toBe(
      '/clusters/1/namespaces/s/pods/a?view=logs',
    );
    const key = kindNameOf('batch/v1', 'Job') ?? '';
    expect(objectPath({ cluster: '1', kind: key, namespace: 's', name: 'a' })).toBe(
      '/clusters/1/namespaces/s/objects/batch/jobs/a',
    );
    expect(kindNameOf('v1', 'ConfigMap')).toBe('configmap');
    expect(kindNameOf('apps/v1', 'ControllerRevision')).toBe('apps~v1~controllerrevisions');
    const owner = kindNameOf('example.org/v1', 'Deployment') ?? '';
    expect(objectPath({ cluster: '1', kind: owner, namespace: 's', name: 'a' })).toBe(
      '/clusters/1/namespaces/s/objects/example.org/Deployment/a',
    );
    expect(kindNameOf('example.org/v1', '../Deployment')).toBeUndefined();
    const custom = 'crd:kettles.example.org';
    expect(objectPath({ cluster: '1', kind: custom, name: 'a' }, 'yaml')).toBe(
      '/clusters/1/crds/kettles.example.org/a?view=yaml',
    );
  });
});

test('a custom resource shows its printer columns and is scaled from its count, by what the server says of it', () => {
  const kind = customKind({
    spec: {
      group: 'example.org',
      scope: 'Namespaced',
      names: { kind: 'Kettle', plural: 'kettles' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          additionalPrinterColumns: [{ name: 'Litres', type: 'integer', jsonPath: '.spec.litres' }],
          subresources: { scale: { specReplicasPath: '.spec.cups' } },
        },
      ],
    },
  });
  if (kind === undefined) throw new Error('The definition was not taken.');
  const page = fullKind(kind.id, JSON.parse(JSON.stringify(factsOf(kind))) as ReturnType<typeof factsOf>);
  const object = { metadata: { name: 'tin' }, spec: { litres: 2, cups: 3 } };
  expect(page.facts?.(object)).toEqual({ replicas: 3 });
  const [overview] = page.sections ?? [];
  const fields = typeof overview === 'object' && 'fields' in overview ? overview.fields : [];
  expect(fields.map(({ label, value }) => [label, value(object)])).toEqual([['Litres', 2]]);
  expect(page.sections).toEqual(
    kind.sections?.map((section) => (typeof section === 'object' ? overview : section)),
  );
});

test.each([
  [0.25, '250m'],
  [0.0001, '1m'],
  [1.25, '1.3'],
  [16, '16'],
  [0, '0'],
])('%d cores', (cores, text) => expect(formatCores(cores)).toBe(text));
test.each([
  [512 * 2 ** 20, '512Mi'],
  [7.62 * 2 ** 30, '7.6Gi'],
  [1000 * 2 ** 20, '1Gi'],
  [900, '900'],
])('%d bytes', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

describe('the references of an object', () => {
  const web = {
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      template: {
        spec: {
          containers: [
            {
              name: 'app',
              env: [
                { name: 'A', valueFrom: { configMapKeyRef: { name: 'settings', optional: true } } },
                { name: 'B', valueFrom: { secretKeyRef: { name: 'extra', optional: true } } },
              ],
              envFrom: [{ configMapRef: { name: 'settings' } }, { configMapRef: { name: 'there' } }],
            },
          ],
          volumes: [{ name: 'more', secret: { secretName: 'extra', optional: true } }],
        },
      },
    },
  };

  /** Kind and name of each line and what is said beside it, as tone and text. */
  function shown(lines: ReturnType<typeof relatedOf>): readonly string[] {
    // The router of a link is not there.
    const html = renderToStaticMarkup(
      createElement(Related, { lines: lines.map((line) => ({ ...line, ref: undefined })) }),
    );
    return [...html.matchAll(/<div>([^<]*)(<span.*?)?<\/div>/gs)].map(([, name = '', rest = '']) => {
      const tone = /data-tone="(\w+)"/.exec(rest)?.[1] ?? '';
      const text = rest.replaceAll(/<svg.*?<\/svg>/gs, '').replaceAll(/<[^>]+>/g, '');
      return [name.trim(), tone, text].filter((part) => part !== '').join(' | ');
    });
  }

  test('say of those that do not exist that they do not, as trouble unless they are optional everywhere', () => {
    const missing = ['~ ConfigMap shop/settings', '~ Secret shop/extra', '~ ConfigMap other/there'];
    expect(shown(relatedOf('1', deployment, web, missing))).toEqual([
      'settings | warn | does not exist',
      'there',
      'extra | does not exist (optional)',
    ]);
    expect(shown(relatedOf('1', deployment, web, []))).toEqual(['settings', 'there', 'extra']);
  });

  test('say of an event about a deleted object that it does not exist, as no trouble', () => {
    const about = {
      metadata: { name: 'e', namespace: 'shop' },
      involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web-1' },
    };
    expect(shown(relatedOf('1', event, about, ['~ Pod shop/web-1']))).toEqual(['web-1 | does not exist']);
  });
});
