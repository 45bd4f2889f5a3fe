import type { ObjectRef } from '../../../registry/command.ts';
import type { Registry } from '../../../registry/registry.ts';
import type { PaletteOpening } from './opening.ts';
import type { Pending } from './pending.ts';

/** One level of the palette with what is typed in it. */
export type Frame =
  | { readonly type: 'root'; readonly text: string; readonly isObjectsOnly: boolean }
  /** The actions of a highlighted object. */
  | { readonly type: 'actions'; readonly text: string; readonly ref: ObjectRef }
  /** A chosen command that still needs arguments. */
  | { readonly type: 'step'; readonly text: string; readonly pending: Pending };

/** The levels from the first to the one that shows. */
export type Frames = readonly [Frame, ...Frame[]];

/** The first levels: the search, and above it the argument that a requested command still needs. */
export function firstFrames({ text, asks, args = {}, subject }: PaletteOpening, registry: Registry): Frames {
  const root: Frame = { type: 'root', text: asks === undefined ? text : '', isObjectsOnly: false };
  if (asks === undefined) return [root];
  return [root, { type: 'step', text, pending: { command: registry.get(asks), args, subject, answers: [] } }];
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

/** One level up; undefined from the first. */
export function back(frames: Frames): Frames | undefined {
  const last = lastFrame(frames);
  if (last.type === 'root' && last.isObjectsOnly) return withLast(frames, { ...last, isObjectsOnly: false });
  return frames.length > 1 ? (frames.slice(0, -1) as unknown as Frames) : undefined;
}
