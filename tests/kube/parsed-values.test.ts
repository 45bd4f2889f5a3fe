import { describe, expect, test } from 'vitest';
import { hiddenValue, type ParsedValues, parsedValues } from '../../src/kube/parsed-values.ts';

const meta = { name: 'web', namespace: 'shop' };
const common = { name: 'web', namespace: 'shop' };

describe('the fields of the panel (specification section 3)', () => {
  const rules: readonly [rule: string, value: unknown, shown: Partial<ParsedValues>][] = [
    ['kind is "Not specified" if missing', { metadata: meta }, { kind: 'Not specified', ...common }],
    ['metadata.name is "Not specified" if missing', { kind: 'Pod' }, { name: 'Not specified' }],
    [
      'metadata.namespace is "default" if missing',
      { kind: 'Pod', metadata: { name: 'a' } },
      { namespace: 'default' },
    ],
    [
      'labels are a list of keys and values',
      { metadata: { labels: { app: 'web', tier: 'front' } } },
      {
        labels: [
          ['app', 'web'],
          ['tier', 'front'],
        ],
      },
    ],
    [
      'annotations are a list of keys and values',
      { metadata: { annotations: { note: 'x' } } },
      { annotations: [['note', 'x']] },
    ],
    ['replicas of a Deployment', { kind: 'Deployment', spec: { replicas: 3 } }, { replicas: '3' }],
    ['replicas of a Deployment are 1 by default', { kind: 'Deployment' }, { replicas: '1' }],
    ['no replicas are shown as 0', { kind: 'Deployment', spec: { replicas: 0 } }, { replicas: '0' }],
    ['type of a Service', { kind: 'Service', spec: { type: 'NodePort' } }, { type: 'NodePort' }],
    ['type of a Service is ClusterIP by default', { kind: 'Service', spec: {} }, { type: 'ClusterIP' }],
    [
      'hosts of an Ingress',
      { kind: 'Ingress', spec: { rules: [{ host: 'a.example' }, { host: 'b.example' }] } },
      { hosts: ['a.example', 'b.example'] },
    ],
    ['host of an Ingress is * if absent', { kind: 'Ingress', spec: { rules: [{}] } }, { hosts: ['*'] }],
    ['an Ingress without rules has no hosts', { kind: 'Ingress', spec: {} }, { hosts: [] }],
    [
      'data of a ConfigMap, keys only',
      { kind: 'ConfigMap', data: { a: 'one', b: 'two' } },
      { data: ['a', 'b'] },
    ],
    ['a ConfigMap without data', { kind: 'ConfigMap' }, { data: [] }],
    [
      'data of a Secret, keys only',
      { kind: 'Secret', data: { password: 'aHVudGVyMg==' } },
      { data: ['password'] },
    ],
    ['type of a Secret', { kind: 'Secret', type: 'kubernetes.io/tls' }, { type: 'kubernetes.io/tls' }],
    ['type of a Secret is Opaque by default', { kind: 'Secret' }, { type: 'Opaque', data: [] }],
    ['kinds match in any case: deployment', { kind: 'dEpLoYmEnT' }, { kind: 'dEpLoYmEnT', replicas: '1' }],
    ['kinds match in any case: service', { kind: 'SERVICE' }, { type: 'ClusterIP' }],
    ['kinds match in any case: ingress', { kind: 'ingress' }, { hosts: [] }],
    ['kinds match in any case: configmap', { kind: 'configmap', data: { a: 'b' } }, { data: ['a'] }],
    ['kinds match in any case: secret', { kind: 'secret' }, { type: 'Opaque' }],
  ];
  test.each(rules)('%s', (_rule, value, shown) => {
    expect(parsedValues(value)).toMatchObject(shown);
  });

  test('labels and annotations appear only if present', () => {
    expect(parsedValues({ kind: 'Pod', metadata: { ...meta, labels: {}, annotations: null } })).toEqual({
      kind: 'Pod',
      ...common,
    });
  });

  test('fields of one kind do not appear for another', () => {
    const value = { kind: 'Pod', spec: { replicas: 3, type: 'X', rules: [{}] }, data: { a: 'b' }, type: 'T' };
    expect(Object.keys(parsedValues(value))).toEqual(['kind', 'name', 'namespace']);
  });

  test.each([
    [null],
    ['text'],
    [7],
    [[]],
    [{ kind: { a: 1 }, metadata: 'x', spec: [] }],
    [{ kind: 'Ingress', spec: { rules: [null, 'x', { host: 7 }] } }],
    [{ kind: 'Secret', data: 'x', metadata: { annotations: [1] } }],
    [{ kind: 'Deployment', spec: { replicas: {} }, metadata: { labels: { a: null, b: {} } } }],
  ])('any shape is read without a crash: %j', (value) => {
    expect(parsedValues(value).namespace).toBe('default');
  });
});

describe('values of a Secret', () => {
  const secret = {
    kind: 'Secret',
    metadata: {
      name: 'db',
      annotations: {
        'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"password":"aHVudGVyMg=="}}',
        copy: 'pw=aHVudGVyMg==',
        backup: '{"stringData":{}}',
        note: 'fine',
      },
    },
    data: { password: 'aHVudGVyMg==' },
    stringData: { token: 'correct horse' },
  };

  test('never appear in the panel', () => {
    const shown = parsedValues(secret);
    expect(JSON.stringify(shown)).not.toMatch(/aHVudGVyMg|correct horse/);
    expect(shown.data).toEqual(['password']);
    expect(shown.stringData).toEqual(['token']);
    expect(shown.annotations).toEqual([
      ['kubectl.kubernetes.io/last-applied-configuration', hiddenValue],
      ['copy', hiddenValue],
      ['backup', hiddenValue],
      ['note', 'fine'],
    ]);
  });

  test('are hidden for every notation of the kind', () => {
    expect(JSON.stringify(parsedValues({ ...secret, kind: 'SECRET' }))).not.toContain('aHVudGVyMg');
  });
});
