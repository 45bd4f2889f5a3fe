import type { Command } from '../../registry/commands/command.ts';
import type { Subject } from '../../registry/commands/invocation.ts';
import { type Binding, resolveKeys, strokesOf } from '../../registry/keys/keymap.ts';
import { isAllowed, type May } from '../../registry/commands/registry.ts';
import { clausesOf, type ContextKeys, matches } from '../../registry/commands/when.ts';

/** What keys are judged by at one moment. */
export interface KeysMoment {
  readonly bindings: readonly Binding[];
  readonly context: ContextKeys;
  readonly may: May;
  readonly subject: Subject;
}

/** Parts of a context that are of the focused view and not of the whole page. */
const ofView = ['focus', 'kind', 'row'] as const;

/** Whether a command belongs to some views; what works everywhere is no help to find one's way in one of them. */
const belongsToViews = ({ keysWhen, when }: Pick<Command, 'when' | 'keysWhen'>): boolean => {
  const where = keysWhen ?? when;
  return (
    where !== undefined &&
    clausesOf(where).every((clause) => ofView.some((name) => clause[name] !== undefined))
  );
};

/** The keys of a command that do something in the focused view now, and in no view of another sort. */
export function keysHere(
  command: Command,
  keys: readonly string[],
  { bindings, context, may, subject }: KeysMoment,
): readonly string[] {
  if (!belongsToViews(command) || !isAllowed(command, context, may) || !matches(command.offered, context))
    return [];
  const isEnabled =
    command.type !== 'action' ||
    command.enabled === undefined ||
    command.enabled({ subject, args: {}, source: 'key', target: 'here' }) === true;
  if (!isEnabled) return [];
  return keys.filter((one) => {
    const strokes = strokesOf(one);
    const meant = strokes === undefined ? undefined : resolveKeys(bindings, strokes, context);
    return meant?.type === 'run' && meant.command.id === command.id;
  });
}
