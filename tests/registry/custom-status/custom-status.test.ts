import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { statusRuleOf } from '../../../src/registry/custom-status/families.ts';
import { customJudge } from '../../../src/registry/custom-status/judge.ts';
import type { Tone } from '../../../src/registry/tone.ts';
import { type Case, having, on } from './case.ts';
import { cases } from './cases.ts';
import { unknownCases } from './unknown-cases.ts';

const created = '2026-01-01T00:00:00Z';

/** An object as its controller writes it, in one of four states. */
type Written = Partial<Case> & {
  readonly group: string;
  readonly kind: string;
  readonly state: 'healthy' | 'starting' | 'broken' | 'suspended';
};

/**
 * The smallest object of each state and kind in the tests of Argo CD's health checks (Apache License 2.0), and some of
 * the projects' documentation; without times, and of the spec only what the status depends on.
 */
const written = readFileSync(new URL('objects.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Written);

const tonesOf: Readonly<Record<Written['state'], readonly Tone[]>> = {
  healthy: ['ok'],
  starting: ['info'],
  broken: ['bad', 'warn'],
  suspended: ['idle'],
};

function judged(
  group: string,
  kind: string,
  { status, spec, annotations, generation, isNew }: Partial<Case>,
) {
  const metadata = {
    name: 'a',
    creationTimestamp: created,
    ...(annotations === undefined ? {} : { annotations }),
    ...(generation === undefined ? {} : { generation }),
  };
  const object = { metadata, ...(spec === undefined ? {} : { spec }), status };
  const health = customJudge(statusRuleOf(group, kind))(object);
  return isNew === true ? health : (health.later?.health ?? health);
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

test.each(written)(
  '$kind of $group that is $state has the right tone: $status',
  ({ group, kind, state, ...object }) => {
    const { tone } = judged(group, kind, { ...object, ...(state === 'starting' ? { isNew: true } : {}) });
    expect(tonesOf[state]).toContain(tone);
  },
);

describe('an object of a kind without a rule', () => {
  test.each(unknownCases)('that is $is has the right status', (one) =>
    expect(judged('example.org', 'Kettle', one)).toMatchObject(told(one)),
  );

  const conditionSince = (seconds: number) => {
    const lastTransitionTime = new Date(Date.parse(created) + seconds * 1000).toISOString();
    return having(on('Ready', 'False', '', '', { lastTransitionTime }));
  };
  test.each([
    { is: 'after its creation', since: 10, patience: 300 },
    { is: 'when it was ready for long', since: 86_400, patience: 60 },
  ])('may be unready $is for $patience s', ({ since, patience }) => {
    const object = { metadata: { name: 'a', creationTimestamp: created }, status: conditionSince(since) };
    const at = Date.parse(created) / 1000 + since + patience;
    expect(customJudge({})(object)).toMatchObject({ tone: 'info', later: { at, health: { tone: 'bad' } } });
  });

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
