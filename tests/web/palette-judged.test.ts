import { describe, expect, test } from 'vitest';
import type { ActionState } from '../../src/contract/objects.ts';
import type { ObjectRef } from '../../src/registry/commands/invocation.ts';
import type { Entry } from '../../src/web/features/palette/entries.ts';
import { withJudged } from '../../src/web/features/palette/judged.ts';
import { compose, openingWith, pageContext } from './palette-moment.ts';

const nightly: ObjectRef = { cluster: '1', kind: 'cronjob', namespace: 'shop', name: 'nightly' };
const weekly: ObjectRef = { ...nightly, name: 'weekly' };
const states: readonly ActionState[] = [
  { id: 'cronjob.suspend', enabled: true },
  { id: 'cronjob.run', enabled: 'The cluster is read-only.' },
];

/** What is shown for a text in a palette opened on cron jobs, once the server has judged their actions. */
function found(
  text: string,
  refs: readonly [ObjectRef, ...ObjectRef[]],
  refused: readonly string[] = [],
): readonly Entry[] {
  const opening = openingWith({
    clusterId: 1,
    context: { ...pageContext, focus: 'table', kind: 'cronjob', row: 'opens' },
    subject: { type: 'objects', refs, from: 'row' },
  });
  return withJudged(compose(text, opening).entries, { refs, states, refused });
}
const entryOf = (entries: readonly Entry[], id: string) =>
  entries.find((entry) => entry.id === `command ${id}`);

describe('actions that are found by typing', () => {
  test('say why they cannot be done on what the palette was opened on', () => {
    expect(entryOf(found('suspend', [nightly]), 'cronjob.suspend')).toMatchObject({ reason: undefined });
    expect(entryOf(found('resume', [nightly]), 'cronjob.resume')?.reason).toBe(
      'nightly was resumed already, or cannot be.',
    );
    expect(entryOf(found('run', [nightly]), 'cronjob.run')?.reason).toBe('The cluster is read-only.');
    expect(entryOf(found('resume', [nightly, weekly]), 'cronjob.resume')?.reason).toBe(
      'The selected objects were resumed already, or cannot be.',
    );
  });

  test('are left as they are where they ask for another object, and are gone where the person may not do them', () => {
    expect(entryOf(found('resume', [nightly]), 'job.resume')).toMatchObject({ reason: undefined });
    const entries = found('resume', [nightly], ['cronjob.resume']);
    expect(entryOf(entries, 'cronjob.resume')).toBeUndefined();
    expect(entryOf(entries, 'job.resume')).toBeDefined();
  });

  test('are all open while the server is asked', () => {
    const entries = compose('resume', openingWith({ clusterId: 1 })).entries;
    expect(withJudged(entries, undefined)).toBe(entries);
  });
});
