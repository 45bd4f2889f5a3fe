import { describe, expect, it } from 'vitest';
import { formatCustomName, formatKindName, parseKindName } from '../../src/registry/kinds/resource-key.ts';

describe('the name of a kind without a file', () => {
  it.each([
    ['crd:kettles.example.org', { group: 'example.org', version: undefined, word: 'kettles' }],
    ['example.org~v1~kettles', { group: 'example.org', version: 'v1', word: 'kettles' }],
    ['example.org~~kettles', { group: 'example.org', version: undefined, word: 'kettles' }],
    ['example.org~v1beta1~Kettle', { group: 'example.org', version: 'v1beta1', word: 'Kettle' }],
    ['core~~ConfigMap', { group: '', version: undefined, word: 'ConfigMap' }],
  ])('%s is parsed', (text, name) => expect(parseKindName(text)).toEqual(name));

  it.each([
    'pod',
    'crd:kettles',
    'crd:.example.org',
    'crd:../x.example.org',
    'crd:Kettle.example.org',
    'crd:kettles.example.org/secrets',
    'crd:kettles.example..org',
    '~v1~kettles',
    'example.org~v1~',
    'example.org~v1~../secrets',
    'example.org~V1~kettles',
    'example.org~v1~kettles/status',
    'example.org~v1~kettles~status',
    `crd:${'k'.repeat(400)}.example.org`,
  ])('%s is invalid: no part of a name can change the structure of a path', (text) =>
    expect(parseKindName(text)).toBeUndefined(),
  );

  it('formatting and parsing are inverse', () => {
    const custom = formatCustomName({ group: 'example.org', plural: 'kettles' });
    expect(parseKindName(custom)).toMatchObject({ group: 'example.org', word: 'kettles' });
    expect(parseKindName(formatKindName({ group: '', word: 'Pod' }))).toMatchObject({
      group: '',
      word: 'Pod',
    });
  });
});
