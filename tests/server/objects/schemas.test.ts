import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { createSchemaCatalogue } from '../../../src/server/objects/schema-catalogue.ts';
import type { KubeRequest, Transport } from '../../../src/server/clusters/transport.ts';
import { type Lab, refusal, startLab } from '../actions/playground.ts';
import type { TestPerson } from '../harness.ts';
import { clockAt } from '../clock-at.ts';

let lab: Lab;
let viewer: TestPerson;

beforeAll(async () => {
  lab = await startLab();
  viewer = await lab.member(teamRoles.Viewer);
  await lab.put('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'boats.sail.example.org' },
    spec: {
      group: 'sail.example.org',
      scope: 'Namespaced',
      names: { plural: 'boats', singular: 'boat', kind: 'Boat', listKind: 'BoatList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: { type: 'object', properties: { masts: { type: 'integer', minimum: 1 } } },
              },
            },
          },
        },
      ],
    },
  });
});
afterAll(() => lab.close());

const ask = (kind: string, version?: string, person = viewer) =>
  person.client.call('kindSchema', {
    params: { clusterId: lab.clusterId, kind },
    query: version === undefined ? {} : { version },
  });

describe('schemas of kinds', () => {
  it('are those of the cluster, custom resources included', async () => {
    const { schema } = await ask('apps~v1~Deployment', 'v1');
    expect(schema).toMatchObject({
      properties: { kind: { const: 'Deployment' }, apiVersion: { const: 'apps/v1' } },
      definitions: {
        'io.k8s.api.apps.v1.DeploymentSpec': { properties: { replicas: { type: 'integer' } } },
      },
    });
    await expect
      .poll(async () => (await ask('sail.example.org~v1~Boat', 'v1')).schema)
      .toMatchObject({ properties: { spec: { properties: { masts: { type: 'integer', minimum: 1 } } } } });
  });

  it('are of the version that is written; a version that is not served has none', async () => {
    expect((await ask('autoscaling~v1~HorizontalPodAutoscaler', 'v1')).schema).toMatchObject({
      properties: { apiVersion: { const: 'autoscaling/v1' } },
    });
    expect((await ask('apps~v1~Deployment', 'v9')).schema).toBeNull();
  });

  it('are sent to people who may view objects of the kind, and to no others', async () => {
    expect((await refusal(ask('core~v1~Secret', 'v1'))).status).toBe(403);
    const stranger = await lab.console.person({ companyId: await lab.console.company() });
    expect((await refusal(ask('apps~v1~Deployment', 'v1', stranger))).status).toBe(404);
    expect((await refusal(ask('apps~v1~Nonsense', 'v1'))).status).toBe(404);
  });
});

/** A cluster that publishes one kind, and says how often it was asked. */
function publisher(credential: string) {
  const asked: string[] = [];
  const state = { hash: 'A1', field: 'masts' };
  const transport = {
    credential,
    async json<T>({ path, query }: KubeRequest): Promise<T> {
      asked.push(`${path}${query?.['hash'] === undefined ? '' : `?${String(query['hash'])}`}`);
      await Promise.resolve();
      const answer: unknown =
        path === '/openapi/v3'
          ? {
              paths: {
                'apis/sail.example.org/v1': { serverRelativeURL: `/../../secrets?hash=${state.hash}` },
              },
            }
          : {
              components: {
                schemas: {
                  Boat: {
                    type: 'object',
                    'x-kubernetes-group-version-kind': [
                      { group: 'sail.example.org', version: 'v1', kind: 'Boat' },
                    ],
                    properties: { [state.field]: { type: 'integer' } },
                  },
                },
              },
            };
      return answer as T;
    },
  } as unknown as Transport;
  return { asked, state, transport };
}

describe('the memory of schemas', () => {
  const boat = { group: 'sail.example.org', version: 'v1', kind: 'Boat' };
  const document = '/openapi/v3/apis/sail.example.org/v1';

  it('reads a document once for all who ask at a time, and again when its hash is another', async () => {
    let now = 0;
    const schemas = createSchemaCatalogue(clockAt(() => now));
    const { asked, state, transport } = publisher('one');
    await Promise.all([schemas.schema(transport, boat), schemas.schema(transport, boat)]);
    await schemas.schema(transport, boat);
    expect(asked).toEqual(['/openapi/v3', `${document}?A1`]);
    now += 61_000;
    await schemas.schema(transport, boat);
    expect(asked).toHaveLength(3);
    now += 61_000;
    Object.assign(state, { hash: 'B2', field: 'oars' });
    expect(await schemas.schema(transport, boat)).toMatchObject({
      properties: { oars: { type: 'integer' } },
    });
    expect(asked.at(-1)).toBe(`${document}?B2`);
  });

  it('keeps what clusters say apart, whatever hashes they claim, and asks for no path of theirs', async () => {
    const schemas = createSchemaCatalogue(clockAt(() => 0));
    const [one, other] = [publisher('one'), publisher('other')];
    other.state.field = 'oars';
    await schemas.schema(one.transport, boat);
    expect(await schemas.schema(other.transport, boat)).toMatchObject({
      properties: { oars: { type: 'integer' } },
    });
    expect([...one.asked, ...other.asked].filter((path) => path.includes('secrets'))).toEqual([]);
  });
});
