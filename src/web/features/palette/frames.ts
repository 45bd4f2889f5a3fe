import { type Command, isOrganisationArg } from '../../../registry/commands/command.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { excludedShown } from '../../../registry/commands/route-search.ts';
import type { Registry } from '../../../registry/commands/registry.ts';
import type { ObjectQuery } from './ask-objects.ts';
import type { PaletteOpening } from './opening.ts';
import type { Pending } from './pending.ts';

/** What every level has. */
interface Level {
  /** What is typed in it. */
  readonly text: string;
  /** Its objects include those of the namespaces that the person leaves out. */
  readonly showsExcluded?: boolean;
}

/** One level of the palette with what is typed in it. */
export type Frame = Level &
  (
    | { readonly type: 'root'; readonly isObjectsOnly: boolean }
    /** The actions of a highlighted object. */
    | { readonly type: 'actions'; readonly ref: ObjectRef }
    /** A chosen command that still needs arguments. */
    | { readonly type: 'step'; readonly pending: Pending }
  );

/** The levels from the first to the one that shows. */
export type Frames = readonly [Frame, ...Frame[]];

/** What a level asks the server's index for beside its text. */
export const excludedOf = ({ showsExcluded }: Pick<Level, 'showsExcluded'>): Pick<ObjectQuery, 'excluded'> =>
  showsExcluded === true ? { excluded: excludedShown } : {};

/** The first levels: the search, and above it the argument that a requested command still needs. */
export function firstFrames(opening: PaletteOpening, registry: Registry): Frames {
  const { text, asks, args = {}, subject } = opening;
  const root: Frame = { type: 'root', text: asks === undefined ? text : '', isObjectsOnly: false };
  if (asks === undefined) return [root];
  const command = registry.get(asks);
  const answers = namesAtHand(command, args, opening);
  return [root, { type: 'step', text, pending: { command, args, subject, answers } }];
}

/** The names of the people and invitations among the arguments that the focused view gave: whoever is asked for the rest sees them. */
function namesAtHand(
  command: Command,
  args: Readonly<Record<string, unknown>>,
  { atHand }: PaletteOpening,
): readonly string[] {
  if (command.type !== 'action') return [];
  return Object.entries(command.args ?? {}).flatMap(([name, { type }]) => {
    const part = isOrganisationArg(type) ? atHand?.[type] : undefined;
    return part?.name !== undefined && part.id === args[name] ? [part.name] : [];
  });
}

/** The level that shows. */
export const lastFrame = (frames: Frames): Frame => frames.at(-1) ?? frames[0];

const withLast = (frames: Frames, last: Frame): Frames => [...frames.slice(0, -1), last] as unknown as Frames;

/** The same levels with another text in the last. What shows objects alone shows everything again. */
export function typed(frames: Frames, text: string): Frames {
  const last = lastFrame(frames);
  return withLast(frames, last.type === 'root' ? { ...last, text, isObjectsOnly: false } : { ...last, text });
}

/** The first level showing every object that was found. */
export function withAllObjects(frames: Frames): Frames {
  const last = lastFrame(frames);
  return last.type === 'root' ? withLast(frames, { ...last, isObjectsOnly: true }) : frames;
}

/** The last level with what the person leaves out of their views: also while they type on. */
export const withExcludedObjects = (frames: Frames): Frames =>
  withLast(frames, { ...lastFrame(frames), showsExcluded: true });

/** One level up; undefined from the first. */
export function back(frames: Frames): Frames | undefined {
  const last = lastFrame(frames);
  if (last.type === 'root' && last.isObjectsOnly) return withLast(frames, { ...last, isObjectsOnly: false });
  if (last.showsExcluded === true) return withLast(frames, { ...last, showsExcluded: false });
  return frames.length > 1 ? (frames.slice(0, -1) as unknown as Frames) : undefined;
}
