import type { ObjectView, ServerMessage } from '../../../contract/live.ts';
import type { LiveBase } from './base.ts';

/** The known state of one live object. `complete` after the first message about it, including that it is gone. */
export interface LiveObject extends LiveBase {
  /** Its last known version; kept when it is gone. */
  readonly view?: ObjectView;
  /** There is no such object (any more). */
  readonly gone?: {
    /** When it was seen to be deleted, ISO; null when it was not there to begin with. */
    readonly at: string | null;
  };
}

/** An object nothing is known of yet. */
export function unknownObject(now: string): LiveObject {
  return { complete: false, state: { status: 'loading', since: now } };
}

type ObjectMessage = Extract<ServerMessage, { readonly type: 'object' | 'surroundings' | 'gone' }>;

/** Applies a message about an object. */
export function applyObject(known: LiveObject, message: ObjectMessage): LiveObject {
  const { pausedAt: _pausedAt, gone: _gone, ...rest } = known;
  switch (message.type) {
    case 'object': {
      const { type: _type, id: _id, seq: _seq, ...view } = message;
      return { ...rest, complete: true, view };
    }
    case 'surroundings': {
      if (known.view === undefined) return known;
      const { status, attention, joined, missing, actions } = message;
      return { ...known, view: { ...known.view, status, attention, joined, missing, actions } };
    }
    case 'gone':
      return { ...rest, complete: true, gone: { at: message.at } };
    default: {
      const never: never = message;
      return never;
    }
  }
}
