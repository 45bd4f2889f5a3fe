import { describe, expect, test } from 'vitest';
import { statusRuleOf } from '../../../src/registry/custom-status/families.ts';
import { customJudge } from '../../../src/registry/custom-status/judge.ts';
import { type Case, on } from './case.ts';
import { cases } from './cases.ts';
import { unknownCases } from './unknown-cases.ts';

function judged(group: string, kind: string, { status, spec, annotations, generation }: Partial<Case>) {
  const metadata = {
    name: 'a',
    ...(annotations === undefined ? {} : { annotations }),
    ...(generation === undefined ? {} : { generation }),
  };
  const object = { metadata, ...(spec === undefined ? {} : { spec }), status };
  return customJudge(statusRuleOf(group, kind))(object);
}

const told = ({ tone, label, message }: Case) => ({
  tone,
  label,
  ...(message === undefined ? {} : { message }),
});

describe.each(Object.entries(cases))('%s', (name, of) => {
  const [group = '', kind = ''] = name.split(' ');
  test.each(of)('an object that is $is has the right status', (one) =>
    expect(judged(group, kind, one)).toMatchObject(told(one)),
  );
});

describe('an object of a kind without a rule', () => {
  test.each(unknownCases)('that is $is has the right status', (one) =>
    expect(judged('example.org', 'Kettle', one)).toMatchObject(told(one)),
  );

  test('has the start time of its problem', () => {
    const status = {
      conditions: [on('Ready', 'False', 'Failed', '', { lastTransitionTime: '2026-01-01T00:00:00Z' })],
    };
    expect(judged('example.org', 'Kettle', { status }).since).toBe(Date.parse('2026-01-01T00:00:00Z') / 1000);
  });

  test('is terminating, whatever else it says', () => {
    const object = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' }, status: { phase: 'Failed' } };
    expect(customJudge({})(object)).toEqual({ tone: 'info', label: 'Terminating' });
  });

  test('is not judged by a generation that counts every change', () => {
    const object = {
      metadata: { generation: 9 },
      status: { observedGeneration: 1, conditions: [on('Ready', 'True')] },
    };
    expect(customJudge({}, true)(object)).toMatchObject({ tone: 'ok', label: 'Ready' });
  });

  test.each([
    [7],
    ['Failed'],
    [[]],
    [{ conditions: {} }],
    [{ conditions: [null, 3, {}, { type: 7, status: 'True' }, { type: 'Ready', status: {} }] }],
    [{ phase: {}, state: [], health: 7, sync: null }],
    [{ listeners: {}, parents: [null, 7, { conditions: 'x' }] }],
    [{ error: {}, lastState: null }],
  ])('has no readable status: %j', (status) =>
    expect(judged('example.org', 'Kettle', { status })).toEqual({ tone: 'idle', label: 'No status' }),
  );

  test('has a bounded label, and only bounded parts of it are read', () => {
    const long = 'x'.repeat(100_000);
    expect(judged('a.b', 'C', { status: { conditions: [on('Ready', 'False', long)] } }).label).toHaveLength(
      81,
    );
    const many = Array.from({ length: 60 }, () => on('Blue', 'True'));
    expect(judged('a.b', 'C', { status: { conditions: [...many, on('Failed', 'True')] } }).tone).toBe('idle');
  });
});
