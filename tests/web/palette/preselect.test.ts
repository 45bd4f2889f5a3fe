import { describe, expect, test } from 'vitest';
import type { Entry } from '../../../src/web/features/palette/entries.ts';
import { candidate } from '../../../src/web/features/palette/rank-entries.ts';
import {
  changesSomething,
  lettersIn,
  preselected,
  type PreselectMoment,
} from '../../../src/web/features/palette/preselect.ts';
import { sectionsOf } from '../../../src/web/features/palette/EntryList.tsx';
import { registry } from '../palette-moment.ts';
import { ask, moments } from './moments.ts';

type Moment = keyof typeof moments;

/** The entries for a text in the order in which they show. */
const shown = (text: string, moment: Moment, recents?: Parameters<typeof ask>[2]): readonly Entry[] =>
  sectionsOf(ask(text, moments[moment], recents).entries).flatMap(([, some]) => some);

/** What is highlighted for a text. */
function highlighted(text: string, moment: Moment, more: Partial<PreselectMoment> = {}): Entry | undefined {
  const letters = lettersIn({ type: 'root', text });
  return preselected(shown(text, moment), { letters, isPending: false, before: undefined, ...more });
}

const title = (entry: Entry | undefined): string => entry?.title ?? 'nothing';

/** The beginnings of every command that changes something, and of its keywords. */
const beginnings = (length: number): readonly string[] => [
  ...new Set(
    registry.commands
      .filter((command) => command.type === 'action' && command.changes === true)
      .flatMap(({ title: named, keywords = [] }) => [String(named), ...keywords])
      .map((word) => word.toLowerCase().slice(0, length)),
  ),
];

describe('what changes something is not highlighted', () => {
  test.each(['deploymentPage', 'podRow', 'dashboard'] as const)('below four letters: %s', (moment) => {
    const one = beginnings(1);
    const texts = ['', ...one, ...['', ...one].map((text) => `>${text}`), ...[2, 3].flatMap(beginnings)];
    const wrong = texts.filter((text) => {
      const entry = highlighted(text, moment);
      return entry !== undefined && changesSomething(entry);
    });
    expect(wrong).toEqual([]);
  });

  test.each([
    ['rest', 'deploymentPage'],
    ['restar', 'deploymentPage'],
    ['restrat', 'deploymentPage'],
    ['paus', 'deploymentPage'],
    ['>paus', 'deploymentPage'],
    ['delet', 'podRow'],
    ['restart check', 'dashboard'],
    ['restar checkout', 'dashboard'],
    ['how do I roll back', 'deploymentPage'],
    ['where is restart', 'deploymentPage'],
    ['docker rm', 'deploymentPage'],
    ['turn it off and on again', 'deploymentPage'],
    ['remove a cluster', 'deploymentPage'],
  ] as const)('by a text that names it in part: %s', (text, moment) => {
    const entry = highlighted(text, moment);
    expect(entry === undefined || !changesSomething(entry), title(entry)).toBe(true);
  });

  test('while objects are awaited, and nothing else is in its place', () => {
    expect(highlighted('restart', 'deploymentPage', { isPending: true })).toBeUndefined();
    expect(highlighted('restart checkout', 'dashboard', { isActAwaited: true })).toBeUndefined();
  });

  test('in the place of another entry that was highlighted for the same text', () => {
    const entries = shown('restart', 'deploymentPage');
    const other = entries.find((entry) => !changesSomething(entry));
    const before = other?.id;
    expect(before).toBeDefined();
    expect(preselected(entries, { letters: 7, isPending: false, before })).toBe(other);
    // That entry is gone: still no change takes its place.
    const without = entries.filter(({ id }) => id !== before);
    const next = preselected(without, { letters: 7, isPending: false, before });
    expect(next === undefined || !changesSomething(next)).toBe(true);
  });
});

describe('what changes something is highlighted', () => {
  test.each([
    ['restart', 'deploymentPage', 'Restart'],
    ['pause rollout', 'deploymentPage', 'Pause rollout'],
    ['bounce', 'deploymentPage', 'Restart'],
    ['restart please', 'deploymentPage', 'Restart'],
    ['kubectl delete', 'podRow', 'Delete…'],
    ['restart checkout', 'dashboard', 'checkout: Restart'],
    ['scale checkout 5', 'dashboard', 'checkout: Scale to 5'],
  ] as const)('once %s names it in full', (text, moment, wanted) => {
    expect(title(highlighted(text, moment))).toBe(wanted);
  });

  test('while it was highlighted before', () => {
    const before = highlighted('restart', 'deploymentPage')?.id;
    expect(highlighted('restart', 'deploymentPage', { before })?.id).toBe(before);
  });
});

describe('recent changes', () => {
  const restart = registry.get('deployment.restart');
  const subject = {
    type: 'objects',
    refs: [{ cluster: '1', kind: 'deployment', namespace: 'shop', name: 'recommendations' }],
    from: 'args',
  } as const;
  const change = candidate(
    {
      id: 'run restart',
      section: 'Recent',
      title: 'Restart recommendations',
      act: { type: 'command', command: restart, args: {}, subject },
    },
    [],
    300,
  );

  test.each(['', 'r', 're', 'rec', 'recomm', 'recommendations', 'restart', 'restart recommendations'])(
    'are never first for “%s”',
    (text) => {
      for (const moment of ['dashboard', 'home', 'deploymentPage', 'podRow', 'viewer'] as const) {
        const [first] = shown(text, moment, [change]);
        expect(first?.id, moment).not.toBe('run restart');
      }
    },
  );

  test('are offered behind the others', () => {
    expect(shown('restart', 'dashboard', [change]).map(({ id }) => id)).toContain('run restart');
  });
});
