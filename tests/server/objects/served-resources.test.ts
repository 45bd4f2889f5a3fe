import { describe, expect, test } from 'vitest';
import { discoverDefinitions } from '../../../src/server/objects/discovered.ts';
import { readServedResources } from '../../../src/server/objects/served-resources.ts';
import { createScriptedTransport, refusal } from '../live/script-transport.ts';

const names = ['kettles.example.org', 'cups.example.org', 'jars.other.org'];
const kettle = {
  group: 'example.org',
  version: 'v1',
  plural: 'kettles',
  kind: 'Kettle',
  scope: 'Namespaced',
  shortNames: ['kt'],
  hasStatus: true,
  isListed: true,
  versions: ['v1', 'v1beta1'],
};

/** A cluster that answers these paths, and no others. */
function clusterOf(answers: Readonly<Record<string, unknown>>) {
  const transport = createScriptedTransport();
  transport.onList = ({ path }) => {
    if (!(path in answers)) throw refusal(404);
    return answers[path] as never;
  };
  return transport;
}

describe('the resources that a cluster serves', () => {
  test('are read in one request, each in the version that the cluster prefers', async () => {
    const resource = (plural: string, kind: string, more: object = {}) => ({
      resource: plural,
      responseKind: { group: '', version: '', kind },
      scope: 'Namespaced',
      verbs: ['get', 'list'],
      ...more,
    });
    const transport = clusterOf({
      '/apis': {
        kind: 'APIGroupDiscoveryList',
        items: [
          {
            metadata: { name: 'example.org' },
            versions: [
              {
                version: 'v1',
                resources: [
                  resource('kettles', 'Kettle', {
                    shortNames: ['kt'],
                    subresources: [{ subresource: 'scale' }, { subresource: 'status' }],
                  }),
                ],
              },
              { version: 'v1beta1', resources: [resource('kettles', 'Kettle'), resource('cups', 'Cup')] },
            ],
          },
          { metadata: { name: 'apps' }, versions: [{ version: 'v1', resources: [resource('x', 'X')] }] },
        ],
      },
    });
    expect([...(await readServedResources(transport, names))]).toEqual([
      ['kettles.example.org', kettle],
      [
        'cups.example.org',
        {
          ...kettle,
          version: 'v1beta1',
          plural: 'cups',
          kind: 'Cup',
          shortNames: undefined,
          hasStatus: false,
          versions: ['v1beta1'],
        },
      ],
    ]);
    expect(transport.requests.map(({ path }) => path)).toEqual(['/apis']);
    expect(transport.requests[0]?.accept).toMatch(/v=v2;as=APIGroupDiscoveryList.*,application\/json$/);
  });

  test('are read version by version of a Kubernetes without that answer, of the groups that are asked for', async () => {
    const group = (name: string) => ({
      name,
      versions: [{ version: 'v1beta1' }, { version: 'v1' }],
      preferredVersion: { version: 'v1' },
    });
    const list = (names: readonly string[]) => ({
      resources: names.map((name) => ({
        name,
        kind: 'Kettle',
        namespaced: true,
        shortNames: ['kt'],
        verbs: ['list'],
      })),
    });
    const transport = clusterOf({
      '/apis': { kind: 'APIGroupList', groups: [group('apps'), group('example.org'), group('other.org')] },
      '/apis/example.org/v1': list(['kettles', 'kettles/status']),
      '/apis/example.org/v1beta1': list(['kettles']),
    });
    expect([...(await readServedResources(transport, names))]).toEqual([['kettles.example.org', kettle]]);
  });

  test.each([
    ['nothing', null],
    ['a list', []],
    ['texts for objects', { items: ['x', { metadata: 'y', versions: 'z' }], groups: [1, { name: 3 }] }],
  ])('are none where the answer is %s', async (_, answer) => {
    expect((await readServedResources(clusterOf({ '/apis': answer }), names)).size).toBe(0);
  });

  test.each([
    ['at once', true],
    ['version by version', false],
  ])(
    'are found in whatever version they are served where definitions may not be read: %s',
    async (_, isAggregated) => {
      const versions = { v1: ['gauges'], v1alpha3: ['gauges', 'filters'] };
      const aggregated = {
        items: [
          {
            metadata: { name: 'mesh.example.org' },
            versions: Object.entries(versions).map(([version, all]) => ({
              version,
              // The last answer of a server that is away now.
              freshness: 'Stale',
              resources: all.map((resource) => ({
                resource,
                responseKind: { kind: resource },
                scope: 'Namespaced',
                verbs: resource === 'gauges' ? ['create'] : ['list'],
              })),
            })),
          },
          { metadata: { name: 'apps' }, versions: [{ version: 'v1', resources: [{ resource: 'x' }] }] },
        ],
      };
      const groups = {
        groups: ['away.example.org', 'mesh.example.org'].map((name) => ({
          name,
          versions: [{ version: 'v1' }, { version: 'v1alpha3' }],
          preferredVersion: { version: 'v1' },
        })),
      };
      const list = (all: readonly string[]) => ({
        resources: all.map((name) => ({
          name,
          kind: name,
          namespaced: true,
          verbs: name === 'gauges' ? ['create'] : ['list'],
        })),
      });
      const transport = clusterOf({
        '/apis': isAggregated ? aggregated : groups,
        '/apis/mesh.example.org/v1': list(versions.v1),
        '/apis/mesh.example.org/v1alpha3': list(versions.v1alpha3),
      });
      const answer = transport.onList;
      transport.onList = (request) => {
        // Its APIService is broken.
        if (request.path.startsWith('/apis/away.example.org/')) throw refusal(503);
        return answer(request);
      };
      expect((await discoverDefinitions(transport, undefined)).map(({ metadata }) => metadata.name)).toEqual([
        'filters.mesh.example.org',
      ]);
    },
  );
});
