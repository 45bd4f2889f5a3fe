/** How one sort of what stays open on rights behaves; the rest is the same for all. */
export interface OpenSort {
  /** `session`: it ends with the session or API token that opened it. `person`: it goes on without them. */
  readonly bearer: 'session' | 'person';
  /**
   * Where rights may have changed and are not known: `waits` passes nothing on until they are; `ends` goes on after a
   * notice, and ends where rights that it asked for, or those of the last minutes, cannot be read; `goes on` as each of
   * its steps asks for itself.
   */
  readonly unread: 'waits' | 'ends' | 'goes on';
}

const socket: OpenSort = { bearer: 'session', unread: 'waits' };

/**
 * Everything that stays open on people's rights, and ends at once when one is taken away. A further sort (a
 * conversation, a stream of events …) is named here and opened by `OpenRights`; the test with two servers has a case
 * for each. `organisation/endings.ts` has the rest that ends with a membership.
 */
export const openSorts = {
  /** Of a page each subscription, and the page itself by its session. */
  pages: socket,
  logs: socket,
  /** The streams of the chat as well, and its answers. */
  downloads: { bearer: 'session', unread: 'ends' },
  terminals: socket,
  replays: socket,
  jobs: { bearer: 'person', unread: 'goes on' },
} as const satisfies Readonly<Record<string, OpenSort>>;

/** The name of a sort. */
export type OpenSortName = keyof typeof openSorts;

/** `held`: its rights may have changed and are being read. `ended` is for good. */
export type OpenState = 'open' | 'held' | 'ended';

/**
 * - `notice`: rights of its company changed, perhaps its own
 * - `doubt`: it asks for its rights itself, as it has just begun, or one of its person's sessions ended
 * - `kept`, `changed`, `lost`: its rights were read and are the same, others that suffice, or do not suffice
 * - `signed out`: its session or API token opens nothing any more
 * - `unread`: the rights that it waits for could not be read
 * - `unread for long`: no rights could be read for `storeGrace`
 * - `closed`: it is over by itself
 */
export type OpenEvent =
  | 'notice'
  | 'doubt'
  | 'kept'
  | 'changed'
  | 'lost'
  | 'signed out'
  | 'unread'
  | 'unread for long'
  | 'closed';

/**
 * - `hold`: passes nothing on
 * - `release`: goes on with the rights that were read
 * - `narrow`: both, one after the other, for what went on with others
 * - `end`: is over
 */
export type OpenAct = 'hold' | 'release' | 'narrow' | 'end';

/** The state after an event, and the act that it takes, if any. */
export type OpenStep = readonly [state: OpenState, act?: OpenAct];

/** The next state of something that is open on rights. */
export function nextOpenState({ unread }: OpenSort, state: OpenState, event: OpenEvent): OpenStep {
  if (state === 'ended') return ['ended'];
  switch (event) {
    case 'notice':
      return unread === 'waits' ? ['held', 'hold'] : [state];
    case 'doubt':
      return unread === 'goes on' ? [state] : ['held', 'hold'];
    case 'kept':
      return state === 'held' ? ['open', 'release'] : ['open'];
    case 'changed':
      return ['open', state === 'held' ? 'release' : 'narrow'];
    case 'lost':
    case 'signed out':
      return ['ended', 'end'];
    case 'unread':
      return unread === 'ends' && state === 'held' ? ['ended', 'end'] : [state];
    case 'unread for long':
      if (unread === 'ends') return ['ended', 'end'];
      return unread === 'waits' ? ['held', 'hold'] : [state];
    case 'closed':
  }
  return ['ended'];
}
