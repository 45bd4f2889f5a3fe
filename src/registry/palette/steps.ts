import type { Command, CommandArg } from '../commands/command.ts';
import type { ObjectRef, Subject } from '../commands/invocation.ts';
import { neededArgs } from '../kinds/kind-action.ts';
import { fitsKind } from '../commands/object-views.ts';
import { paramNames } from '../path.ts';

/** A question that the palette asks before a command can run. */
export type PaletteStep =
  | { readonly type: 'arg'; readonly name: string; readonly arg: CommandArg }
  /** An object to act on, of one of these kinds. */
  | { readonly type: 'subject'; readonly kinds: readonly string[] }
  /** An object whose page opens; of any kind if absent. */
  | { readonly type: 'object'; readonly kind: string | undefined }
  /** A resource whose list opens. */
  | { readonly type: 'resource' };

/** The known parts of the run to be started. */
export interface Gathered {
  readonly args: Readonly<Record<string, unknown>>;
  readonly subject: Subject;
  /** Of which kinds an object is asked for; of all that the command takes if absent. */
  readonly kinds?: readonly string[] | undefined;
}

/** Whether a command with `actsOn` can act on these objects. */
export function fitsSubject(kinds: readonly string[] | undefined, subject: Subject): boolean {
  if (kinds === undefined) return true;
  return subject.type === 'objects' && subject.refs.every((ref: ObjectRef) => fitsKind(kinds, ref.kind));
}

/** The label of a parameter: `releaseName` gives `Release name`. */
function labelOf(param: string): string {
  const words = param.replaceAll(/([A-Z])/g, ' $1').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * The questions still open for a command, in the order in which the palette asks them. Every command can be completed:
 * the palette asks for unknown path parameters as text.
 */
export function missingSteps(command: Command, { args, subject, kinds }: Gathered): readonly PaletteStep[] {
  if (command.type === 'template') return [];
  if (command.type === 'action') {
    return [
      ...(fitsSubject(command.actsOn, subject)
        ? []
        : [{ type: 'subject' as const, kinds: kinds ?? command.actsOn ?? [] }]),
      ...neededArgs(command.args as Readonly<Record<string, CommandArg>>).flatMap(
        ([name, arg]): PaletteStep[] => (name in args ? [] : [{ type: 'arg', name, arg }]),
      ),
    ];
  }
  const missing = paramNames(command.path).filter((name) => !(name in args));
  if (missing.length === 0) return [];
  const own = missing.filter((name) => name !== 'clusterId');
  // An object determines its cluster.
  if (command.shows === 'object' && command.kind !== undefined && own.length > 0)
    return [{ type: 'object', kind: command.kind }];
  if (own.includes('plural') && own.includes('name')) return [{ type: 'object', kind: undefined }];
  const cluster: PaletteStep[] = missing.includes('clusterId')
    ? [{ type: 'arg', name: 'clusterId', arg: { type: 'cluster', label: 'Cluster' } }]
    : [];
  if (own.includes('plural')) return [...cluster, { type: 'resource' }];
  return [
    ...cluster,
    ...own.map(
      (name): PaletteStep => ({
        type: 'arg',
        name,
        arg: name.startsWith('namespace')
          ? { type: 'namespace', label: 'Namespace' }
          : { type: 'text', label: labelOf(name), pattern: '\\S', help: `${labelOf(name)} is missing.` },
      }),
    ),
  ];
}

/** The label of a step in front of its choices. */
export function stepLabel(step: PaletteStep): string {
  switch (step.type) {
    case 'arg':
      return step.arg.label;
    case 'subject':
    case 'object':
      return 'Object';
    case 'resource':
      return 'Resource';
    default:
      return step satisfies never;
  }
}
