import { describe, expect, test } from 'vitest';
import { kinds } from '../../commands/kinds/index.ts';
import type { Kind } from '../../src/registry/kinds/kind.ts';
import type { KindAction } from '../../src/registry/kinds/kind-action.ts';
import { commandCandidates, kindsNamed } from '../../src/web/features/palette/command-entries.ts';
import { rankEntries } from '../../src/web/features/palette/rank-entries.ts';
import { actionsFor } from '../../src/web/features/actions/actions-for.ts';
import { openingWith, pageContext, registry } from './palette-moment.ts';

const plain = ({ title }: KindAction) => title.replace(/…$/, '').toLowerCase();
const wordOf = ({ kind }: Kind) => kind.toLowerCase();

/** The kinds with each of their actions. */
const pairs = kinds.flatMap((kind) => kind.actions.map((action) => ({ kind, action })));

/** Ids of the commands that a text finds, best first: on nothing in particular, or on one object of a kind. */
function found(text: string, on?: Kind): readonly string[] {
  const opening =
    on === undefined
      ? openingWith({ clusterId: 1 })
      : openingWith({
          clusterId: 1,
          context: { ...pageContext, kind: on.id },
          subject: {
            type: 'objects',
            refs: [{ cluster: '1', kind: on.id, namespace: 'shop', name: 'web' }],
            from: 'tile',
          },
        });
  return rankEntries(commandCandidates(registry, opening), text).flatMap(({ entry: { act } }) =>
    act.type === 'command' ? [act.command.id] : [],
  );
}

describe('the words that find an action', () => {
  test.each(pairs.map(({ kind, action }) => [`${plain(action)} ${wordOf(kind)}`, action.id, kind] as const))(
    '“%s” finds %s, with an object at hand and without',
    (text, id, kind) => {
      expect(found(text)).toContain(id);
      expect(found(text, kind)[0]).toBe(id);
    },
  );

  test.each([
    ['delete pod', 'object.delete'],
    ['remove pod', 'object.delete'],
    ['kill pod', 'object.delete'],
    ['delete po', 'object.delete'],
    ['delete deployment', 'object.delete'],
    ['delete node', 'object.delete'],
    ['disable node', 'node.cordon'],
    ['node maintenance', 'node.cordon'],
    ['delete release', 'release.uninstall'],
    ['rollback deployment', 'deployment.rollback'],
    ['undo deployment', 'deployment.rollback'],
    ['trigger cronjob', 'cronjob.run'],
  ])('“%s” finds %s first', (text, id) => {
    expect(found(text)[0]).toBe(id);
  });
});

describe('of two actions that the same plain words mean', () => {
  const harsh = pairs.filter(({ action }) => action.harsherThan !== undefined);

  test('the harsh one names the mild one, which its kind has: “Force delete” says all that “Delete” says', () => {
    const unnamed = pairs.flatMap(({ kind, action }) => {
      if (action.dangerous !== true) return [];
      const words = plain(action).split(' ');
      const milder = kind.actions.filter(
        (other) =>
          other !== action &&
          plain(other)
            .split(' ')
            .every((word) => words.includes(word)),
      );
      return milder.filter(({ id }) => id !== action.harsherThan).map(({ id }) => `${action.id} and ${id}`);
    });
    expect(unnamed).toEqual([]);
    for (const { kind, action } of harsh)
      expect(
        kind.actions.map(({ id }) => id),
        action.id,
      ).toContain(action.harsherThan);
    expect(harsh.map(({ action }) => action.id).toSorted()).toEqual(['node.drain', 'pod.kill']);
  });

  test.each(harsh.map(({ kind, action }) => [action.id, kind, action] as const))(
    'the palette never offers %s before the mild one, whichever of their words is typed',
    (id, kind, action) => {
      const mild = kind.actions.find((one) => one.id === action.harsherThan);
      if (mild === undefined) throw new Error(`${id} has no milder action.`);
      const words = [mild, action].flatMap((one) => [
        plain(one),
        ...plain(one).split(' '),
        ...(one.keywords ?? []),
      ]);
      let together = 0;
      for (const word of words.flatMap((one) => [one, one.slice(0, 3), `${one} ${wordOf(kind)}`])) {
        for (const ids of [found(word), found(word, kind)]) {
          if (!ids.includes(id) || !ids.includes(mild.id)) continue;
          together += 1;
          expect(ids.indexOf(mild.id), `“${word}” finds ${ids.join(', ')}`).toBeLessThan(ids.indexOf(id));
        }
      }
      expect(together).toBeGreaterThan(4);
    },
  );

  test.each(harsh.map(({ kind, action }) => [action.id, kind] as const))(
    'menus offer %s last',
    (id, kind) => {
      const states = kind.actions.map((one) => ({ id: one.id, enabled: true as const }));
      expect(actionsFor(kind.actions, states).at(-1)?.action.id).toBe(id);
    },
  );
});

describe('the kinds that a text names', () => {
  const named = (text: string) => kindsNamed(registry.get('object.delete'), text);

  test.each([
    ['delete pod', ['pod']],
    ['delete pods', ['pod']],
    ['Delete svc', ['service']],
    ['delete po/web', ['pod']],
    ['delete', undefined],
  ])('by “%s” are %j: only their objects are asked for', (text, kinds) => {
    expect(named(text)).toEqual(kinds);
  });
});
