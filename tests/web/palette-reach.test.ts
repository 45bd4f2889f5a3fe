import { describe, expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import type { Command } from '../../src/registry/commands/command.ts';
import type { Subject } from '../../src/registry/commands/invocation.ts';
import { missingSteps } from '../../src/registry/palette/steps.ts';
import { paramNames } from '../../src/registry/path.ts';
import { matches, type ContextKeys } from '../../src/registry/commands/when.ts';
import { commandCandidates, isOffered } from '../../src/web/features/palette/command-entries.ts';
import { answered, nextStep, type Pending } from '../../src/web/features/palette/pending.ts';
import { openingWith, pageContext, registry } from './palette-moment.ts';

/** Why a command is not in the palette; anything else must be. */
const exempt: Readonly<Record<string, string>> = {
  'palette.open': 'is the palette',
  'account.login': 'has no chrome, and so no palette',
  'account.inviteNotFound': 'has no chrome, and so no palette',
  'account.inviteRejected': 'has no chrome, and so no palette',
  'account.confirmed': 'has no chrome, and so no palette',
  'subscription.callback': 'has no chrome, and so no palette',
  'account.setupCompany': 'has no chrome, and so no palette',
  'dialog.submit': 'is a key of dialogs',
  'help.whyNotInMenu': 'is a key of menus; the palette has help.whyNot, which asks the same',
  'subscription.cancel': 'is another address of home',
  'custom.list': 'is another address of objects.list',
  'custom.open': 'is another address of objects.open',
  'custom.openNamespaced': 'is another address of objects.open',
  'objects.openNamespaced': 'is the second address of objects.open',
  'teams.one': 'is opened from the teams, which the palette offers',
  'members.one': 'is opened from the members, which the palette offers',
};

/** A moment in which a command exists: the first value of each key its `when` names. */
function momentOf(command: Command): ContextKeys {
  const [clause = {}] = command.when === undefined ? [] : [command.when].flat();
  const first = (value: string | readonly string[]) => (typeof value === 'string' ? value : value[0]);
  const wanted = Object.entries(clause).map(([key, value]) => [key, first(value)]);
  // A command that is offered only while there is something for it to do.
  return { ...pageContext, ...Object.fromEntries(wanted), ...command.offered } as ContextKeys;
}

const openingAt = (context: ContextKeys, subject: Subject) =>
  openingWith({ context: { ...context, overlay: 'none' }, subject });

/** An answer to a step, as one of its choices would give it. */
function answer(pending: Pending, step: NonNullable<ReturnType<typeof nextStep>>): unknown {
  switch (step.type) {
    case 'subject':
      return { cluster: '1', kind: step.kinds[0] ?? '', namespace: 'shop', name: 'web' };
    case 'object':
      return { cluster: '1', kind: step.kind ?? 'core~v1~configmaps', namespace: 'shop', name: 'web' };
    case 'resource':
      return { group: 'core', plural: 'configmaps' };
    case 'arg':
      switch (step.arg.type) {
        case 'cluster':
          return pending.command.type === 'route' ? '1' : 1;
        case 'company':
        case 'person':
        case 'invitation':
        case 'team':
          return 1;
        case 'number':
          return step.arg.min;
        case 'revision':
          return 1;
        case 'map':
          return { app: 'web' };
        case 'trouble':
          return { cluster: '1', kind: 'deployment', namespace: 'shop', name: 'web' };
        case 'choice':
          return step.arg.default;
        case 'namespace':
        case 'saved-filter':
        case 'text':
        case 'member':
          return 'shop';
        default:
          return step.arg satisfies never;
      }
    default:
      return step satisfies never;
  }
}

/** The keys of the palette itself, and of a drag. */
const ofOverlays =
  /^palette\.(?:run|runBeside|actions|down|up|pageDown|pageUp|back)$|^workspace\.cancelDrag$/;
const isExempt = (id: string) => exempt[id] !== undefined || ofOverlays.test(id) || /\.openAlso/.test(id);
const reachable = commands.filter(({ id }) => !isExempt(id));

describe('every route and action can be reached by the palette', () => {
  test('every command that it leaves out has a written reason', () => {
    const missing = commands.filter((command) => !isOffered(command)).map(({ id }) => id);
    expect(missing.filter((id) => !isExempt(id))).toEqual([]);
  });

  test.each(reachable.map((command) => [command.id, command] as const))('%s is offered', (_id, command) => {
    const context = momentOf(command);
    expect(matches(command.when, context)).toBe(true);
    const offered = commandCandidates(registry, openingAt(context, { type: 'none' }));
    const found = offered.find(({ entry }) => entry.act.type === 'command' && entry.act.command === command);
    expect(found?.entry.title).toMatch(/\S/);
  });

  test.each(reachable.map((command) => [command.id, command] as const))(
    '%s can get every argument that it needs',
    (_id, command) => {
      let pending: Pending = { command, args: {}, subject: { type: 'none' }, answers: [] };
      for (let asked = 0; asked < 10; asked += 1) {
        const step = nextStep(pending);
        if (step === undefined) break;
        pending = answered(pending, step, answer(pending, step), 'an answer');
      }
      expect(missingSteps(command, pending)).toEqual([]);
      if (command.type !== 'route') return;
      const objectOfAnyKind = command.id === 'objects.open';
      if (!objectOfAnyKind)
        for (const name of paramNames(command.path)) expect(pending.args).toHaveProperty(name);
    },
  );

  test('no two entries have the same id', () => {
    const offered = commandCandidates(
      registry,
      openingAt(momentOf(registry.get('deployment.list')), { type: 'none' }),
    );
    const ids = offered.map(({ entry }) => entry.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('no two entries read alike: one that asks for an object first says of which kind', () => {
    const offered = commandCandidates(
      registry,
      openingAt(momentOf(registry.get('deployment.list')), { type: 'none' }),
    );
    const lines = offered.map(({ entry: { title, note = '' } }) => `${title} ${note}`.trim());
    expect(lines.filter((line, at) => lines.indexOf(line) !== at)).toEqual([]);
    expect(lines.filter((line) => line.startsWith('Restart… '))).toHaveLength(3);
  });
});
