import { describe, expect, test } from 'vitest';
import { action, route } from '../../src/registry/commands/command.ts';
import type { Subject } from '../../src/registry/commands/invocation.ts';
import { missingSteps } from '../../src/registry/palette/steps.ts';
import { readTypedValue } from '../../src/registry/palette/values.ts';

const none: Subject = { type: 'none' };
const pod: Subject = {
  type: 'objects',
  refs: [{ cluster: '1', kind: 'pod', namespace: 'shop', name: 'web' }],
  from: 'row',
};
const load = () => Promise.resolve({ Screen: () => null });
const screen = (path: string, more: object = {}) =>
  route({ id: 'x', title: 'X', group: 'Go to', path, load, ...more });
const types = (...given: Parameters<typeof missingSteps>) =>
  missingSteps(...given).map((step) => (step.type === 'arg' ? `${step.name}: ${step.arg.type}` : step.type));

describe('the questions that the palette asks for a command', () => {
  test('a path without parameters needs no question', () => {
    expect(types(screen('/clusters'), { args: {}, subject: none })).toEqual([]);
  });

  test('a path with a cluster asks for it if none is selected', () => {
    const command = screen('/clusters/:clusterId/pods');
    expect(types(command, { args: {}, subject: none })).toEqual(['clusterId: cluster']);
    expect(types(command, { args: { clusterId: '1' }, subject: none })).toEqual([]);
  });

  test('the page of an object asks for the object, which determines its cluster', () => {
    const command = screen('/clusters/:clusterId/namespaces/:ns/pods/:pod', { kind: 'pod', shows: 'object' });
    expect(types(command, { args: { clusterId: '1' }, subject: none })).toEqual(['object']);
  });

  test('an unknown parameter is asked for as text', () => {
    const command = screen('/clusters/:clusterId/namespaces/:namespace/releases/:releaseName');
    expect(types(command, { args: { clusterId: '1' }, subject: none })).toEqual([
      'namespace: namespace',
      'releaseName: text',
    ]);
  });

  test('an action asks for its object, then for its arguments in order', () => {
    const command = action<Readonly<Record<string, unknown>>>({
      id: 'deployment.scale',
      title: 'Scale…',
      group: 'Objects',
      actsOn: ['deployment'],
      args: { replicas: { type: 'number', label: 'Replicas', min: 0, max: 9 } },
      run: () => undefined,
    });
    expect(types(command, { args: {}, subject: pod })).toEqual(['subject', 'replicas: number']);
    const refs = [{ cluster: '1', kind: 'deployment', namespace: 'shop', name: 'web' }] as const;
    const subject: Subject = { type: 'objects', refs, from: 'row' };
    expect(types(command, { args: {}, subject })).toEqual(['replicas: number']);
    expect(types(command, { args: { replicas: 0 }, subject })).toEqual([]);
  });

  test('an action asks for an object of the kinds that were named, else of all that it takes', () => {
    const command = action({
      id: 'object.delete',
      title: 'Delete…',
      group: 'Objects',
      actsOn: ['deployment', 'pod', 'service'],
      run: () => undefined,
    });
    const asked = (kinds?: readonly string[]) => missingSteps(command, { args: {}, subject: none, kinds });
    expect(asked()).toEqual([{ type: 'subject', kinds: ['deployment', 'pod', 'service'] }]);
    expect(asked(['pod'])).toEqual([{ type: 'subject', kinds: ['pod'] }]);
  });
});

describe('typed answers', () => {
  const replicas = { type: 'number', label: 'Replicas', min: 0, max: 10 } as const;
  test.each(['', '-1', '11', '1.5', 'three'])('“%s” is not a number of replicas', (text) => {
    expect(readTypedValue(replicas, text)).toEqual({
      issue: 'Replicas must be a whole number from 0 to 10.',
    });
  });

  test('a number is parsed', () => {
    expect(readTypedValue(replicas, ' 3 ')).toEqual({ value: 3, label: '3' });
  });

  const labels = { type: 'map', label: 'Labels', of: 'labels' } as const;
  test.each([
    ['app=web', { app: 'web' }],
    ['app=web tier-', { app: 'web', tier: null }],
    ['note="two words"', { note: 'two words' }],
    ['a=b=c', { a: 'b=c' }],
    ['empty=', { empty: '' }],
    ['constructor=x', { constructor: 'x' }],
  ])('“%s” is parsed as labels', (text, value) => {
    expect(readTypedValue(labels, text)).toMatchObject({ value });
  });

  test.each(['', 'app', '=web', 'app=a app=b'])('“%s” is rejected', (text) => {
    expect(readTypedValue(labels, text)).toHaveProperty('issue');
  });
});
