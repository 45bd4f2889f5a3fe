import { describe, expect, test } from 'vitest';
import { commands } from '../../../commands/index.ts';
import type { Entry } from '../../../src/web/features/palette/entries.ts';
import { objectsOf, withoutGone } from '../../../src/web/features/palette/gone.ts';
import { candidate } from '../../../src/web/features/palette/rank-entries.ts';
import { registry } from '../palette-moment.ts';
import { ask, moments } from './moments.ts';

const titles = (entries: readonly Entry[]) => entries.map(({ title }) => title);

/** A place or a run of an hour ago. */
const recent = (title: string) =>
  candidate(
    { id: `place ${title}`, section: 'Recent', title, act: { type: 'place', href: '/clusters/1/pods' } },
    [],
    300,
  );

describe('the order of the palette', () => {
  test('what can be done with the thing in hand comes before what was done before', () => {
    const recents = [recent('Restart postgres'), recent('Logs of redis')];
    const { entries } = ask('restart', moments.deploymentPage, recents);
    expect(titles(entries)[0]).toBe('Restart');
    expect(titles(entries)).toContain('Restart postgres');
    expect(titles(ask('logs', moments.podRow, recents).entries)[0]).toBe('Logs');
    expect(
      titles(ask('sca', moments.deploymentPage, [recent('Scale postgres')]).entries).slice(0, 2),
    ).toEqual(['Scale…', 'Scale postgres']);
  });

  test('what has the text as its title comes first, whatever has it as a keyword', () => {
    const pages = commands.filter(({ type, prompt }) => type === 'route' && prompt === undefined);
    const shown = pages.flatMap(({ title }) => {
      if (typeof title !== 'string') return [];
      const { entries } = ask(title, moments.podRow);
      return entries.some((entry) => entry.title === title) ? [[title, entries[0]?.title]] : [];
    });
    expect(shown.length).toBeGreaterThan(20);
    expect(shown.filter(([title, first]) => title !== first)).toEqual([]);
  });

  test('a recent thing comes before others that are found no better, and not before what is named', () => {
    expect(titles(ask('check', moments.dashboard, [recent('checkout')]).entries)[0]).toBe('checkout');
    expect(titles(ask('pods', moments.dashboard, [recent('my-pods')]).entries)[0]).toBe('Pods');
  });

  test('old ReplicaSets come after everything that lives', () => {
    const { entries } = ask('checkout', moments.dashboard);
    const kinds = entries.filter(({ section }) => section === 'Objects').map(({ note }) => note);
    const first = kinds.indexOf('ReplicaSet');
    expect(kinds.slice(0, 3)).toEqual(['Deployment', 'Service', 'HorizontalPodAutoscaler']);
    expect(first === -1 || kinds.slice(first).every((kind) => kind === 'ReplicaSet')).toBe(true);
    const names = ask('checkout 7d9c', moments.dashboard).entries.map(({ note }) => note);
    expect(names.lastIndexOf('Pod')).toBeLessThan(names.indexOf('ReplicaSet'));
  });

  test.each(['podRow', 'deploymentPage', 'log'] as const)(
    'on a %s, “>” begins with what can be done with it and in its view',
    (moment) => {
      const entries = ask('>', moments[moment]).entries.slice(0, 8);
      const groups = entries.map(({ act }) => (act.type === 'command' ? act.command.group : act.type));
      expect(groups.filter((group) => group === 'Go to' || group === 'Workspace')).toEqual([]);
      expect(groups).toContain('Objects');
    },
  );

  test('what there is nothing to do with is not offered', () => {
    const offered = (text: string, moment: keyof typeof moments) =>
      titles(ask(text, moments[moment]).entries);
    const undo = 'Undo the change that is about to be sent';
    expect(offered('undo', 'deploymentPage')).not.toContain(undo);
    expect(offered('undo', 'held')).toContain(undo);
    expect(offered('reopen', 'home')).not.toContain('Reopen closed tab');
    expect(offered('close other', 'home')).not.toContain('Close other tabs');
  });

  test('what is gone is not offered, neither by its name nor in an empty palette', () => {
    const place = (title: string, href: string) =>
      candidate({ id: `place ${href}`, section: 'Recent', title, act: { type: 'place', href } }, [], 300);
    const there = place('postgres', '/clusters/1/namespaces/data/statefulsets/postgres');
    const gone = place('postgres-old', '/clusters/1/namespaces/data/statefulsets/postgres-old');
    const list = place('StatefulSets', '/clusters/1/statefulsets');
    const asked = objectsOf([gone, list, there, gone], registry);
    expect(asked.map(({ name }) => name)).toEqual(['postgres-old', 'postgres']);
    const present = withoutGone([gone, list, there], asked.slice(0, 1), registry);
    expect(present).toEqual([list, there]);
    expect(withoutGone([gone, list, there], [], registry)).toEqual([gone, list, there]);
    for (const text of ['', 'postgres'])
      expect(titles(ask(text, moments.dashboard, present).entries)).not.toContain('postgres-old');
  });
});
