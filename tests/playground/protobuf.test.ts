import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readProtobuf } from '../../src/playground/api/protobuf.ts';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { send } from './client.ts';

/** Bodies as Kubernetes' own clients write them: an envelope of type and content, each a protobuf message. */
const varint = (value: number): number[] => {
  const low = value % 128;
  return value < 128 ? [low] : [low + 128, ...varint(Math.floor(value / 128))];
};
const number = (field: number, value: number): number[] => [...varint(field * 8), ...varint(value)];
const block = (field: number, content: string | readonly number[]): number[] => {
  const bytes = typeof content === 'string' ? Array.from(Buffer.from(content)) : content;
  return [...varint(field * 8 + 2), ...varint(bytes.length), ...bytes];
};
function envelope(apiVersion: string, kind: string, content: readonly number[]): Buffer {
  const type = [...block(1, apiVersion), ...block(2, kind)];
  return Buffer.from([...Buffer.from('k8s\0'), ...block(1, type), ...block(2, content)]);
}
const named = (name: string) => block(1, [...block(1, name), ...block(8, [])]);

describe('a body in protobuf', () => {
  test('decodes to the same as its JSON', () => {
    const quantity = block(1, '250m');
    const container = [
      ...block(1, 'main'),
      ...block(2, 'example/app:1'),
      ...block(3, 'run'),
      ...block(3, '--fast'),
      ...block(6, [...block(1, 'http'), ...number(2, 0), ...number(3, 8080)]),
      ...block(8, block(2, [...block(1, 'cpu'), ...block(2, quantity)])),
      ...block(10, [
        ...block(1, block(2, [...block(1, '/live'), ...block(2, [...number(1, 1), ...block(3, 'http')])])),
      ]),
    ];
    const template = [
      ...block(1, block(11, [...block(1, 'app'), ...block(2, 'web')])),
      ...block(2, block(2, container)),
    ];
    const selector = block(1, [...block(1, 'app'), ...block(2, 'web')]);
    const spec = [...number(1, 300), ...block(2, selector), ...block(3, template), ...number(7, 1)];
    expect(readProtobuf(envelope('apps/v1', 'Deployment', [...named('web'), ...block(2, spec)]))).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        replicas: 300,
        selector: { matchLabels: { app: 'web' } },
        paused: true,
        template: {
          metadata: { labels: { app: 'web' } },
          spec: {
            containers: [
              {
                name: 'main',
                image: 'example/app:1',
                command: ['run', '--fast'],
                ports: [{ name: 'http', hostPort: 0, containerPort: 8080 }],
                resources: { requests: { cpu: '250m' } },
                livenessProbe: { httpGet: { path: '/live', port: 'http' } },
              },
            ],
          },
        },
      },
    });
  });

  test('reads times, bytes and negative numbers', () => {
    const time = [...number(1, 1_772_352_000), ...number(2, 123_456_000)];
    const event = [...named('told'), ...block(10, time), ...block(6, time)];
    expect(readProtobuf(envelope('v1', 'Event', event))).toMatchObject({
      eventTime: '2026-03-01T08:00:00.123456Z',
      firstTimestamp: '2026-03-01T08:00:00Z',
    });
    const data = block(2, [...block(1, 'key'), ...block(2, [255, 0])]);
    expect(readProtobuf(envelope('v1', 'Secret', [...named('s'), ...data]))).toMatchObject({
      data: { key: '/wA=' },
    });
    const minusOne = [8, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1];
    const deletion = readProtobuf(envelope('v1', 'DeleteOptions', minusOne));
    expect(deletion['gracePeriodSeconds']).toBe(-1);
  });

  test.each<[string, Buffer, string]>([
    ['what is no such message', Buffer.from('{}'), 'provided data does not appear to be a protobuf message'],
    [
      'one that is cut off',
      envelope('v1', 'Pod', [...named('p'), ...block(2, 'x')]).subarray(0, 30),
      'unexpected EOF',
    ],
    [
      'a kind that it has no numbers for',
      envelope('storage.k8s.io/v1', 'CSINode', named('n')),
      'the playground cannot read CSINode as protobuf: send JSON',
    ],
    [
      'a field that it has no number for',
      envelope('v1', 'ConfigMap', [...named('c'), ...block(99, 'x')]),
      'the playground cannot read field 99 of ConfigMap as protobuf: send JSON',
    ],
  ])('is refused when it is %s: nothing is dropped silently', (_what, body, sentence) => {
    expect(() => readProtobuf(body)).toThrow(sentence);
  });
});

describe('over the wire', () => {
  let playground: Playground;
  beforeAll(async () => {
    playground = await startPlayground({ seed: 'none' });
  });
  afterAll(async () => {
    await playground.close();
  });
  const post = async (path: string, body: Buffer | object) => {
    const isBytes = Buffer.isBuffer(body);
    const type = isBytes ? 'application/vnd.kubernetes.protobuf' : 'application/json';
    const answer = await send(playground, {
      method: 'POST',
      path,
      headers: { 'content-type': type, accept: 'application/vnd.kubernetes.protobuf,application/json' },
      body: isBytes ? body.toString('latin1') : JSON.stringify(body),
    });
    return { status: answer.status, body: JSON.parse(answer.text) as Record<string, unknown> };
  };

  test('is answered in JSON, which every such client reads', async () => {
    const attributes = [...block(1, 'default'), ...block(2, 'delete'), ...block(5, 'pods')];
    const review = envelope('authorization.k8s.io/v1', 'SelfSubjectAccessReview', [
      ...block(1, []),
      ...block(2, block(1, attributes)),
    ]);
    expect(await post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review)).toMatchObject({
      status: 201,
      body: { status: { allowed: true } },
    });
    expect(await post('/api/v1/namespaces/default/configmaps', Buffer.from('k8s\0'))).toMatchObject({
      status: 400,
    });
  });

  test('empty fields that Go holds by value disappear, pointers stay', async () => {
    const template = {
      metadata: { labels: { app: 'a' } },
      spec: {
        hostNetwork: false,
        nodeName: '',
        automountServiceAccountToken: false,
        containers: [
          {
            name: 'main',
            image: 'a:1',
            stdin: false,
            env: [{ name: 'A', value: '' }],
            ports: [{ containerPort: 80, hostPort: 0 }],
          },
        ],
      },
    };
    const spec = {
      replicas: 0,
      paused: false,
      minReadySeconds: 0,
      selector: { matchLabels: { app: 'a' } },
      template,
    };
    const made = await post('/apis/apps/v1/namespaces/default/deployments', {
      metadata: { name: 'd' },
      spec,
    });
    const stored = made.body['spec'] as typeof spec;
    expect(stored).toMatchObject({
      replicas: 0,
      template: { spec: { automountServiceAccountToken: false } },
    });
    expect(Object.keys(stored)).not.toEqual(expect.arrayContaining(['paused']));
    expect(Object.keys(stored)).not.toEqual(expect.arrayContaining(['minReadySeconds']));
    expect(stored.template.spec.containers[0]).toMatchObject({
      env: [{ name: 'A' }],
      ports: [{ containerPort: 80, protocol: 'TCP' }],
    });
    expect(JSON.stringify(stored)).not.toMatch(/hostNetwork|nodeName|stdin|hostPort|"value"/);
    const ports = [{ port: 80, name: '', nodePort: 0 }];
    const service = await post('/api/v1/namespaces/default/services', {
      metadata: { name: 's' },
      spec: { clusterIP: '', publishNotReadyAddresses: false, ports },
    });
    expect(service).toMatchObject({
      status: 201,
      body: { spec: { clusterIP: expect.stringMatching(/^10\.96\./) } },
    });
  });
});
