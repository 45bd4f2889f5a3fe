import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/contract/objects.ts';
import type { ArgDefinitions } from '../../src/registry/kinds/kind-action.ts';
import { asksFirst } from '../../src/web/features/actions/acting.ts';
import { actionsFor } from '../../src/web/features/actions/actions-for.ts';
import {
  changedFields,
  initialFields,
  isReviewedArg,
  isSameAs,
  noBasis,
  readFields,
} from '../../src/web/features/actions/args.ts';
import { comparable } from '../../src/web/features/actions/comparable.ts';
import { diffOf } from '../../src/web/features/actions/diff.ts';
import { failedTitle, outcomeText } from '../../src/web/features/actions/outcome.ts';
import { toYaml } from '../../src/web/yaml/to-yaml.ts';

describe('the form of an action', () => {
  const definitions: ArgDefinitions = {
    replicas: { type: 'number', label: 'Replicas', min: 0, max: 10, from: 'replicas' },
    how: {
      type: 'choice',
      label: 'How',
      options: [
        { value: 'a', label: 'A' },
        { value: 'b', label: 'B' },
      ],
      default: 'b',
    },
    labels: { type: 'map', label: 'Labels', of: 'labels' },
    to: { type: 'revision', label: 'Revision' },
    word: { type: 'text', label: 'Word', pattern: '^[a-z]+$', help: 'Small letters.' },
  };
  const basis = { facts: { replicas: 3 }, labels: { app: 'web', old: '1' }, annotations: {} };

  test('changes nothing as long as the numbers and texts are those of the object', () => {
    const scale = { replicas: definitions['replicas'] } as ArgDefinitions;
    expect(isSameAs(scale, { replicas: 3 }, basis)).toBe(true);
    expect(isSameAs(scale, { replicas: 0 }, basis)).toBe(false);
    expect(isSameAs(scale, { replicas: 3 }, noBasis)).toBe(false);
    expect(isSameAs({}, {}, basis)).toBe(false);
    const image: ArgDefinitions = {
      container: { type: 'member', label: 'Container', of: 'containers' },
      image: { type: 'text', label: 'Image', from: 'images', along: 'container' },
    };
    const two = { facts: { containers: ['a', 'b'], images: ['x:1', 'y:1'] }, labels: {}, annotations: {} };
    expect(isSameAs(image, { container: 'b', image: 'y:1' }, two)).toBe(true);
    expect(isSameAs(image, { container: 'b', image: 'x:1' }, two)).toBe(false);
    expect([isReviewedArg(image), isReviewedArg(scale)]).toEqual([true, true]);
  });

  test('begins with what the object has', () => {
    expect(initialFields(definitions, basis)).toEqual({
      replicas: '3',
      how: 'b',
      labels: [
        { id: 0, key: 'app', value: 'web' },
        { id: 1, key: 'old', value: '1' },
      ],
      to: '',
      word: '',
    });
    expect(initialFields(definitions, noBasis)).toMatchObject({ replicas: '', labels: [] });
  });

  test('keeps a text with the member it belongs to, until somebody writes another', () => {
    const image: ArgDefinitions = {
      container: { type: 'member', label: 'Container', of: 'containers' },
      image: { type: 'text', label: 'Image', from: 'images', along: 'container' },
    };
    const web = { ...noBasis, facts: { containers: ['app', 'side'], images: ['app:1', 'side:2'] } };
    const first = initialFields(image, web);
    expect(first).toEqual({ container: 'app', image: 'app:1' });
    expect(initialFields(image, web, { container: 'side' })).toMatchObject({ image: 'side:2' });
    expect(changedFields(image, web, first, ['container', 'side'])).toEqual({
      container: 'side',
      image: 'side:2',
    });
    const typed = changedFields(image, web, first, ['image', 'app:9']);
    expect(changedFields(image, web, typed, ['container', 'side'])).toMatchObject({ image: 'app:9' });
    expect(initialFields(image, noBasis)).toEqual({ container: '', image: '' });
  });

  test('gives what was changed of labels, null for a key that was taken away', () => {
    const fields = {
      replicas: '0',
      how: 'a',
      labels: [
        { id: 0, key: 'app', value: 'shop' },
        { id: 4, key: ' new ', value: '' },
      ],
      to: '12',
      word: 'abc',
    };
    expect(readFields(definitions, fields, basis)).toEqual({
      ok: true,
      args: { replicas: 0, how: 'a', labels: { app: 'shop', new: '', old: null }, to: 12, word: 'abc' },
    });
  });

  test('says for each field what is wrong with it', () => {
    const fields = {
      replicas: '11',
      how: 'c',
      labels: initialFields(definitions, basis)['labels'] ?? '',
      to: '',
      word: 'A',
    };
    expect(readFields(definitions, fields, basis)).toEqual({
      ok: false,
      issues: {
        replicas: 'Replicas must be a whole number from 0 to 10.',
        how: 'Choose how.',
        labels: 'Change at least one label.',
        to: 'Choose a revision.',
        word: 'Small letters.',
      },
    });
  });

  test.each(['', '-1', '1.5', '1e1', ' '])('%j is no count', (text) => {
    const read = readFields({ n: { type: 'number', label: 'N', min: 0, max: 99 } }, { n: text }, noBasis);
    expect(read.ok).toBe(false);
  });

  test.each([
    [
      [
        { id: 1, key: 'a', value: '1' },
        { id: 2, key: 'a', value: '2' },
      ],
      'a appears twice.',
    ],
    [[{ id: 1, key: '', value: '1' }], 'A value has no key.'],
  ])('labels are keys with values, each once', (rows, issue) => {
    const read = readFields({ l: { type: 'map', label: 'L', of: 'labels' } }, { l: rows }, noBasis);
    expect(read).toEqual({ ok: false, issues: { l: issue } });
  });
});

test('a dialog asks before actions with arguments, destructive ones, ones on several objects, and ones on a protected cluster', () => {
  const open = { isProtected: false };
  expect(asksFirst({}, [1], open, false)).toBe(false);
  expect(asksFirst({ dangerous: true }, [1], open, false)).toBe(true);
  expect(asksFirst({ args: { n: { type: 'revision', label: 'N' } } }, [1], open, false)).toBe(true);
  expect(asksFirst({}, [1, 2], open, false)).toBe(true);
  expect(asksFirst({}, [1], { isProtected: true }, false)).toBe(true);
  expect(asksFirst({}, [1], undefined, false)).toBe(true);
  expect(asksFirst({}, [1], open, true)).toBe(true);
  const scale = { dangerousWith: { replicas: 0 } };
  expect(asksFirst(scale, [1], open, false, { replicas: 0 })).toBe(true);
  expect(asksFirst(scale, [1], open, false, { replicas: 2 })).toBe(false);
});

test('only what the server allows is offered, what destroys last, with its reason where it cannot be done', () => {
  const action = (id: string, dangerous?: true) => ({
    id,
    title: id,
    description: '',
    done: '',
    icon: 'object' as const,
    ...(dangerous === undefined ? {} : { dangerous }),
  });
  const states = [
    { id: 'b', enabled: 'Not now.' },
    { id: 'a', enabled: true as const },
  ];
  expect(actionsFor([action('a', true), action('b'), action('c')], states)).toMatchObject([
    { action: { id: 'b' }, reason: 'Not now.' },
    { action: { id: 'a' }, reason: undefined },
  ]);
  expect(actionsFor([action('a')], undefined)).toEqual([]);
});

describe('the message about an action', () => {
  const action = { title: 'Restart…', done: 'restarted' };
  const kind = { kind: 'Deployment', title: 'Deployments' };
  const outcome = (name: string, message?: string): Outcome => ({
    ref: { kind: 'deployment', namespace: 'shop', name },
    ok: message === undefined,
    message: message ?? 'Done.',
    status: message === undefined ? 200 : 409,
    requests: [],
  });
  const said = (...outcomes: Outcome[]) => outcomeText(action, kind, outcomes, 'prod');

  test('one object is named with its place', () => {
    expect(said(outcome('api'))).toEqual({
      type: 'success',
      title: 'Deployment api restarted',
      detail: 'shop · prod',
    });
    expect(said(outcome('api', 'It is paused.'))).toEqual({
      type: 'error',
      title: 'Deployment api was not restarted',
      detail: 'It is paused.\nshop · prod',
    });
  });

  test('names created objects, and opens the object if it is one', () => {
    const created = (name: string) => ({ kind: 'job', namespace: 'shop', name });
    const made = (name: string): Outcome => ({ ...outcome(name), created: created(`${name}-manual`) });
    expect(said(made('api'))).toEqual({
      type: 'success',
      title: 'Deployment api restarted: Job api-manual',
      detail: 'shop · prod',
      created: created('api-manual'),
    });
    expect(said(made('a'), made('b'))).toEqual({
      type: 'success',
      title: '2 deployments restarted',
      detail: 'shop/a: Job a-manual\nshop/b: Job b-manual\nprod',
    });
  });

  test('an object whose deletion waits is not said to be deleted', () => {
    const message = 'Deployment shop/api is being restarted. Its processes have up to 30 s to stop.';
    const waiting: Outcome = { ...outcome('api'), message, isPending: true };
    expect(said(waiting)).toEqual({
      type: 'success',
      title: 'Deployment shop/api is being restarted. Its processes have up to 30 s to stop',
      detail: 'shop · prod',
    });
    expect(said(waiting, outcome('b')).title).toBe('2 deployments are being restarted');
    expect(said(waiting, outcome('b', 'No.')).title).toBe('1 of 2 deployments is being restarted');
  });

  test('several are counted in one toast, every failure with its object', () => {
    expect(said(outcome('a'), outcome('b'))).toMatchObject({
      type: 'success',
      title: '2 deployments restarted',
    });
    expect(said(outcome('a'), outcome('b', 'No.'))).toEqual({
      type: 'warning',
      title: '1 of 2 deployments restarted',
      detail: 'shop/b: No.\nprod',
    });
    const many = said(...'abcdefgh'.split('').map((name) => outcome(name, 'No.')));
    expect(many.type).toBe('error');
    expect(many.title).toBe('None of 8 deployments restarted');
    expect(many.detail.split('\n')).toHaveLength(8);
    expect(many.detail).toContain('and 2 more');
  });

  test('does not say “unchanged” when the cluster did not answer', () => {
    const request = { method: 'PATCH', path: '/apis/apps/v1/namespaces/shop/deployments/api' } as const;
    const lost: Outcome = { ...outcome('api', 'prod did not answer.'), status: 502, requests: [request] };
    const unasked: Outcome = { ...lost, requests: [] };
    const refused: Outcome = { ...lost, status: 422 };
    expect(failedTitle([refused, unasked])).toBe('Nothing was changed.');
    expect(failedTitle([refused, lost])).toMatch(/^It is unknown whether anything was changed/);
    expect(said(lost).title).toBe('It is unknown whether Deployment api was restarted');
    expect(said(unasked).title).toBe('Deployment api was not restarted');
    expect(said(outcome('a'), lost, refused)).toMatchObject({
      type: 'warning',
      title: '1 of 3 deployments restarted, unknown for 1',
    });
  });
});

describe('a difference', () => {
  test('shows what changes with a little around it', () => {
    const text = (value: string) => ['a', 'b', 'c', 'd', value, 'f', 'g', 'h', 'i', ''].join('\n');
    expect(diffOf(text('1'), text('2'))).toEqual([
      { type: 'skip', count: 2 },
      { type: 'same', text: 'c' },
      { type: 'same', text: 'd' },
      { type: 'removed', text: '1' },
      { type: 'added', text: '2' },
      { type: 'same', text: 'f' },
      { type: 'same', text: 'g' },
      { type: 'skip', count: 2 },
    ]);
  });
  test('is empty for equal texts', () => expect(diffOf('a\n', 'a\n')).toEqual([]));
  test('leaves out what every change changes', () => {
    const object = { metadata: { name: 'a', resourceVersion: '1', generation: 2 }, spec: {}, status: {} };
    expect(comparable(object)).toEqual({ metadata: { name: 'a' }, spec: {} });
  });
  test('shows no change where only the order of keys differs, and one where that of a list does', () => {
    const yaml = (spec: Readonly<Record<string, unknown>>) =>
      toYaml(comparable({ kind: 'Deployment', spec }));
    const before = yaml({
      template: { b: [{ x: 1, y: 2 }, 'last'], a: { '10': 'ten', z: null } },
      replicas: 1,
    });
    const reordered = yaml({
      replicas: 1,
      template: { a: { z: null, '10': 'ten' }, b: [{ y: 2, x: 1 }, 'last'] },
    });
    expect(diffOf(before, reordered)).toEqual([]);
    const changed = yaml({
      replicas: 2,
      template: { a: { z: null, '10': 'ten' }, b: [{ y: 2, x: 1 }, 'last'] },
    });
    expect(diffOf(before, changed).filter(({ type }) => type === 'added' || type === 'removed')).toEqual([
      { type: 'removed', text: '  replicas: 1' },
      { type: 'added', text: '  replicas: 2' },
    ]);
    const turned = yaml({
      replicas: 1,
      template: { a: { z: null, '10': 'ten' }, b: ['last', { y: 2, x: 1 }] },
    });
    expect(diffOf(before, turned)).not.toEqual([]);
  });
});
