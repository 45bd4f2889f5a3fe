import {
  anything,
  array,
  assert,
  configureGlobal,
  constantFrom,
  dictionary,
  jsonValue,
  property,
  tuple,
} from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyChanges, diffJson, isRelated, isSame, pathText, pointerOf } from '../../src/kube/json-diff.ts';
import { proof } from '../prove.ts';

configureGlobal(proof());

const small = constantFrom<unknown>(1, 2, 'a', null, true, { a: 1 }, { a: 2, b: [] }, ['x']);
const value = dictionary(constantFrom('a', 'b', '__proto__', 'a/b~c'), array(small, { maxLength: 5 }));

describe('the difference of two values', () => {
  test('turns one into the other when applied, whatever they are', () => {
    assert(
      property(tuple(value, value), ([before, after]) => {
        expect(isSame(applyChanges(before, diffJson(before, after)), after)).toBe(true);
      }),
    );
    assert(
      property(tuple(jsonValue(), jsonValue()), ([before, after]) => {
        expect(isSame(applyChanges(before, diffJson(before, after)), after)).toBe(true);
      }),
    );
    assert(
      property(anything(), (one) => {
        expect(diffJson(one, one)).toEqual([]);
      }),
    );
  });

  test('contains only changed paths', () => {
    const before = { spec: { containers: [{ name: 'a', image: 'x:1', args: ['--a\r\n'] }], replicas: 1 } };
    const after = { spec: { containers: [{ name: 'a', image: 'x:2', args: ['--a\r\n'] }], replicas: 1 } };
    expect(diffJson(before, after)).toEqual([
      { op: 'replace', path: ['spec', 'containers', 0, 'image'], value: 'x:2' },
    ]);
  });

  test.each([
    ['a field that is gone', { a: 1, b: 2 }, { a: 1 }, [{ op: 'remove', path: ['b'] }]],
    ['an item in the middle that is gone', ['a', 'b', 'c'], ['a', 'c'], [{ op: 'remove', path: [1] }]],
    ['an item that is new', ['a', 'c'], ['a', 'b', 'c'], [{ op: 'add', path: [1], value: 'b' }]],
    ['a list that became a map', { a: [] }, { a: {} }, [{ op: 'replace', path: ['a'], value: {} }]],
    ['another order of fields', { a: 1, b: 2 }, { b: 2, a: 1 }, []],
  ])('%s', (_what, before, after, changes) => {
    expect(diffJson(before, after)).toEqual(changes);
  });

  test('applying a change to a missing path throws', () => {
    expect(() => applyChanges({ a: [] }, [{ op: 'replace', path: ['a', 3], value: 1 }])).toThrow(RangeError);
    expect(() => applyChanges({ a: 1 }, [{ op: 'add', path: ['a', 'b'], value: 1 }])).toThrow(RangeError);
  });
});

describe('paths', () => {
  test('are formatted for JSON Patch and for people', () => {
    expect(pointerOf(['metadata', 'labels', 'a/b~c', 0])).toBe('/metadata/labels/a~1b~0c/0');
    expect(pathText(['spec', 'containers', 0, 'image'])).toBe('spec.containers[0].image');
    expect(pathText(['metadata', 'labels', 'app.io/x'])).toBe('metadata.labels["app.io/x"]');
  });

  test('are related if one contains the other', () => {
    expect(isRelated(['a', 'b'], ['a'])).toBe(true);
    expect(isRelated(['a'], ['a', 'b'])).toBe(true);
    expect(isRelated(['a', 'b'], ['a', 'c'])).toBe(false);
  });
});
