import { typedGap } from './typed-gap.ts';

/** How long after it was painted a dialog confirms nothing by a key (ms): the key was meant for what showed before. */
export const graceTime = 300;

/**
 * The part of a dialog that has the focus.
 * - `act`: what confirms: the button of the act, or one of several to choose from, whose Enter confirms
 * - `field`: a line of text, whose Enter confirms
 * - `name`: the line of text for the name that confirms
 * - `text`: a text of several lines, whose Enter begins a new one
 * - `leave`: the button that leaves the dialog
 * - `other`: anything else, such as a select, the copy button or the dialog itself
 */
export type DialogPlace = 'act' | 'field' | 'name' | 'text' | 'leave' | 'other';

/** Why a dialog confirms or does not confirm by keys. Times are those of events (`event.timeStamp`), in ms. */
export interface Arming {
  /** When it was first seen; undefined before. */
  readonly paintedAt: number | undefined;
  /** A character was typed that the dialog has no use for, and the focus was not moved since. */
  readonly isDisarmed: boolean;
  /** A text of it was changed by the person after it was painted. */
  readonly isEdited: boolean;
  /** When the last key of a text was pressed that was begun before the dialog opened; undefined once that text ended. */
  readonly textAt?: number | undefined;
  /** All that was typed into it is the rest of the text that opened it. */
  readonly hasRest?: boolean;
}

/** A dialog that nobody has seen yet. */
export const unseen: Arming = { paintedAt: undefined, isDisarmed: false, isEdited: false };

/** A dialog that nobody has seen yet, opened by a key of a text that was meant for a field. */
export const unseenByText: Arming = { ...unseen, isDisarmed: true };

/** Something that happens to a dialog, with its time in ms. */
export type DialogEvent =
  | { readonly type: 'painted'; readonly at: number }
  /** A character that no field takes, those that only move a select among them. */
  | { readonly type: 'character'; readonly at: number }
  /** The text of a field was changed, by the key that was pressed at that time or by a paste. */
  | { readonly type: 'edited'; readonly at: number }
  /** The person put the focus elsewhere: by Tab, an arrow or the pointer. */
  | { readonly type: 'moved'; readonly at: number }
  /** Enter, Space or mod+Enter. */
  | {
      readonly type: 'enter' | 'space' | 'submit';
      readonly at: number;
      /** The key is held down. */
      readonly isRepeat: boolean;
      readonly place: DialogPlace;
      /** What a field holds is shown in full before it is confirmed: its Enter moves on to the act. */
      readonly isReviewed: boolean;
    };

/**
 * What a key comes to.
 * - `pass`: it does what it does to the element that has the focus, which confirms nothing
 * - `confirm`: it does what the dialog asks about
 * - `move`: the focus moves on to the act
 * - `ignore`: nothing
 */
export type KeyOutcome = 'pass' | 'confirm' | 'move' | 'ignore';

/** Whether a key that is pressed at a time may confirm, whatever was typed. */
const isSeen = ({ paintedAt }: Arming, at: number): boolean =>
  paintedAt !== undefined && at - paintedAt >= graceTime;

/** Whether a key that is pressed at a time goes on with a text that was begun before the dialog opened. */
const continuesText = ({ textAt }: Arming, at: number): boolean =>
  textAt !== undefined && at - textAt <= typedGap;

/** The state of a dialog after something happened to it, and what a key comes to. */
export function armDialog(
  state: Arming,
  event: DialogEvent,
): { readonly state: Arming; readonly outcome: KeyOutcome } {
  switch (event.type) {
    case 'painted':
      return { state: { ...state, paintedAt: event.at }, outcome: 'pass' };
    case 'character': {
      const textAt = continuesText(state, event.at) ? event.at : undefined;
      return { state: { ...state, isDisarmed: true, textAt }, outcome: 'pass' };
    }
    case 'edited': {
      // The rest of a word whose first letters opened the dialog was not meant for it.
      if (continuesText(state, event.at))
        return { state: { ...state, textAt: event.at, hasRest: true }, outcome: 'pass' };
      const isEdited = state.isEdited || (state.paintedAt !== undefined && event.at >= state.paintedAt);
      return { state: { ...state, isEdited, textAt: undefined, hasRest: false }, outcome: 'pass' };
    }
    case 'moved':
      return { state: { ...state, isDisarmed: false, hasRest: false }, outcome: 'pass' };
    case 'enter':
    case 'space':
    case 'submit': {
      const outcome = outcomeOf(state, event);
      if (outcome !== 'move') return { state, outcome };
      return { state: { ...state, isDisarmed: false, hasRest: false }, outcome };
    }
    default:
      return event satisfies never;
  }
}

function outcomeOf(
  state: Arming,
  { type, at, isRepeat, place, isReviewed }: Extract<DialogEvent, { readonly isRepeat: boolean }>,
): KeyOutcome {
  if (type !== 'submit') {
    if (place === 'text' || (place !== 'act' && place !== 'leave' && type === 'space')) return 'pass';
    if (isRepeat) return 'ignore';
    if (place === 'other') return 'pass';
    if (place === 'leave') return isSeen(state, at) ? 'pass' : 'ignore';
  }
  if (isRepeat || !isSeen(state, at)) return 'ignore';
  if (state.isDisarmed) return type === 'submit' ? 'move' : 'ignore';
  // Whether what is there is valid may not be known yet.
  if (place === 'text' && state.hasRest === true) return 'move';
  if (place === 'field' || place === 'name') {
    const isSent = state.isEdited && (place === 'name' || !isReviewed);
    return isSent ? 'confirm' : 'move';
  }
  return 'confirm';
}
