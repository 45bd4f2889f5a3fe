import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { ObjectBody } from '../../src/contract/objects.ts';
import { copiedText, hasMasked } from '../../src/web/features/compare/copy.ts';
import { compareHints } from '../../src/web/features/compare/hints.ts';
import { comparedText, type Part, partsOf } from '../../src/web/features/compare/hunks.ts';
import { formatPlace, listsHref, parsePlace } from '../../src/web/features/compare/other.ts';

const applied = 'kubectl.kubernetes.io/last-applied-configuration';
const object = (namespace: string, spec: object, metadata: object = {}): ObjectBody => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace, resourceVersion: '7', ...metadata },
  spec,
});

function differencesOf(
  left: ObjectBody,
  right: ObjectBody,
): { texts: [string, string]; hunks: readonly Part[] } {
  const texts: [string, string] = [comparedText(left, false), comparedText(right, false)];
  return { texts, hunks: partsOf(...texts).filter(({ isSame }) => !isSame) };
}

/** The left object with the right one's value in the place of one difference. */
function copied(left: ObjectBody, right: ObjectBody, index = 0): unknown {
  const { texts, hunks } = differencesOf(left, right);
  const hunk = hunks[index];
  if (hunk === undefined) throw new Error('There is no such difference.');
  return parse(copiedText(left, texts[0], hunk, 'left'));
}

describe('objects in two places', () => {
  test('are the same where only their place differs', () => {
    expect(differencesOf(object('a', { replicas: 1 }), object('b', { replicas: 1 })).hunks).toEqual([]);
  });
});

describe('a value copied to the other side', () => {
  test('changes that value alone: name, namespace and what was left out stay', () => {
    const left = object('a', { replicas: 1, paused: true }, { annotations: { [applied]: '{}', note: 'x' } });
    expect(copied(left, object('b', { replicas: 3, paused: true }, { annotations: { note: 'x' } }))).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'a', annotations: { [applied]: '{}', note: 'x' } },
      spec: { replicas: 3, paused: true },
    });
  });

  test('adds to a map whose other fields were left out, and takes from it, without touching those', () => {
    const kept = object('a', {}, { annotations: { [applied]: '{}' } });
    const given = object('b', {}, { annotations: { note: 'x' } });
    expect(copied(kept, given)).toMatchObject({ metadata: { annotations: { [applied]: '{}', note: 'x' } } });
    const both = object('a', {}, { annotations: { [applied]: '{}', note: 'x' } });
    expect(copied(both, object('b', {}))).toMatchObject({ metadata: { annotations: { [applied]: '{}' } } });
  });

  test('copies lists and removes what the other side lacks', () => {
    const left = object('a', { args: ['one', 'two'], extra: 1 });
    const right = object('b', { args: ['one', 'three'] });
    expect(copied(left, right, 0)).toMatchObject({ spec: { args: ['one', 'three'] } });
  });

  test('says so where a difference means nothing by itself, or the object is another by now', () => {
    const part: Part = { isSame: false, left: ['kind: A'], right: ['{ ['], leftAt: 1, rightAt: 1 };
    expect(() => copiedText({}, 'kind: A\n', part, 'left')).toThrow('cannot be copied by itself');
    const { texts, hunks } = differencesOf(
      object('a', { list: [1, 2, 3] }),
      object('b', { list: [1, 2, 4] }),
    );
    const [hunk] = hunks;
    if (hunk === undefined) throw new Error('There is no difference.');
    expect(() => copiedText(object('a', { list: [] }), texts[0], hunk, 'left')).toThrow('changed meanwhile');
  });

  test('is never a mark that stands for a value of a Secret', () => {
    const part = (line: string): Part => ({
      isSame: false,
      left: [line],
      right: ['a: b'],
      leftAt: 1,
      rightAt: 1,
    });
    expect(hasMasked(part('  key: <masked 00000a>'))).toBe(true);
    expect(hasMasked(part('  key: "<masked>"'))).toBe(true);
    expect(hasMasked(part('  key: masked'))).toBe(false);
  });
});

describe('two lists', () => {
  test('keep their other side in the address', () => {
    for (const place of [{ cluster: '3' }, { cluster: '3', namespace: 'a/b' }])
      expect(parsePlace(formatPlace(place))).toEqual(place);
    for (const odd of [undefined, '', '0', 'x', '3/', '3/a/b', '99999999999'])
      expect(parsePlace(odd)).toBeUndefined();
  });

  test('are linked from an object of one of them', () => {
    const kind = { paths: { list: '/clusters/:clusterId/pods' } };
    expect(listsHref(kind, { cluster: '1', namespace: 'shop' }, { cluster: '2', namespace: 'shop' })).toBe(
      '/clusters/1/pods?ns=shop&view=compare&to=2%2Fshop',
    );
  });
});

test('the way to the next difference is hinted at once something is compared', () => {
  const ids = (other: string | undefined) => compareHints(other).map(({ id }) => id);
  expect(ids(undefined)).toEqual(['diff.status']);
  expect(ids('2/shop/cart')).toEqual(['diff.next', 'diff.status']);
});
