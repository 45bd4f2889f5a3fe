import { describe, expect, it } from 'vitest';
import { collectionPath, objectPath } from '../../src/kube/change.ts';
import { kubectlObject, shellWord } from '../../src/kube/kubectl.ts';
import { formatResourceKey, parseResourceKey } from '../../src/registry/kinds/resource-key.ts';

const deployment = { group: 'apps', version: 'v1', plural: 'deployments' };
const node = { group: '', version: 'v1', plural: 'nodes' };

describe('paths of the Kubernetes API', () => {
  it('contain group, version, namespace and name, each encoded', () => {
    expect(collectionPath(node)).toBe('/api/v1/nodes');
    expect(collectionPath(deployment, 'shop')).toBe('/apis/apps/v1/namespaces/shop/deployments');
    expect(objectPath({ ...deployment, namespace: 'shop', name: 'api' }, 'scale')).toBe(
      '/apis/apps/v1/namespaces/shop/deployments/api/scale',
    );
    expect(objectPath({ ...node, name: 'a/../b' })).toBe('/api/v1/nodes/a%2F..%2Fb');
  });
});

describe('resource keys', () => {
  it('are parsed as they are formatted', () => {
    for (const name of [
      node,
      deployment,
      { group: 'shop.example.org', version: 'v1beta1', plural: 'orders' },
    ]) {
      expect(parseResourceKey(formatResourceKey(name))).toEqual(name);
    }
    expect(formatResourceKey(node)).toBe('core~v1~nodes');
  });

  it.each([
    '',
    'pod',
    'a~b',
    'a~b~c~d',
    'core~v1~pods/log',
    '..~v1~pods',
    'a~..~pods',
    'A~v1~pods',
    '~v1~pods',
  ])('reject %j', (text) => expect(parseResourceKey(text)).toBeUndefined());
});

describe('kubectl arguments', () => {
  it('contain object and namespace, and quote what a shell would interpret', () => {
    expect(kubectlObject({ ...deployment, namespace: 'shop', name: 'api' })).toBe(
      'deployments.apps/api -n shop',
    );
    expect(kubectlObject({ ...node, name: 'n1' })).toBe('nodes/n1');
    expect(shellWord('a=b')).toBe('a=b');
    expect(shellWord("it's $HOME; rm")).toBe(String.raw`'it'\''s $HOME; rm'`);
    expect(shellWord('')).toBe("''");
  });
});
