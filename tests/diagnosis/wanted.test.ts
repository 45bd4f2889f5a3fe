import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { manifestOf, wantedPullSecret, wantedSource } from '../../src/server/objects/wanted.ts';

const secret = (name: string, keys: readonly string[] = []) =>
  manifestOf(wantedSource('Secret', name, 'shop', keys));

test('the manifest of a missing object has its name, its namespace and the keys that are asked for, without values', () => {
  expect(secret('database', ['user', 'tls.key', 'user'])).toBe(`apiVersion: v1
kind: Secret
metadata:
  name: database
  namespace: shop
type: Opaque
stringData:
  user: ""
  tls.key: ""
`);
});

test('what reads as another type than text is quoted', () => {
  expect(parse(secret('0123', ['yes', '1e3']) ?? '')).toMatchObject({
    metadata: { name: '0123' },
    stringData: { yes: '', '1e3': '' },
  });
  expect(secret('0123')).toContain('name: "0123"');
});

test.each(['', 'Database', 'a b', 'a\nkind: Pod', '../x', '-a', 'a'.repeat(254)])(
  'there is no manifest of an object that is named %j',
  (name) => expect(secret(name)).toBeUndefined(),
);

test('keys that no Secret may have are left out', () => {
  expect(parse(secret('a', ['ok', 'a: b', '', 'x'.repeat(254)]) ?? '')).toMatchObject({
    stringData: { ok: '' },
  });
});

test.each([
  ['web', 'https://index.docker.io/v1/'],
  ['example/web:1', 'https://index.docker.io/v1/'],
  ['docker.io/example/web:1', 'https://index.docker.io/v1/'],
  ['registry.example.org/shop/web@sha256:00', 'registry.example.org'],
  ['registry.example.org:5000/web', 'registry.example.org:5000'],
  ['localhost/web', 'localhost'],
])('a pull secret for %s is of the registry %s', (image, registry) => {
  const { stringData = {} } = wantedPullSecret('pull', 'shop', image).body as {
    stringData?: Record<string, string>;
  };
  expect(JSON.parse(stringData['.dockerconfigjson'] ?? '')).toEqual({
    auths: { [registry]: { username: '', password: '' } },
  });
});
