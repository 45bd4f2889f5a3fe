import { type FirstLists, firstListsId } from '../../contract/first-lists.ts';
import { livePath } from '../../contract/live-socket.ts';
import type { Socket, SocketEvents } from '../data/socket/socket.ts';
import { isValidUser } from '../data/valid-user.ts';
import { columnsKey } from '../core/state/columns-key.ts';
import { clustersPath, firstMessage, sessionPath } from '../data/live/first-message.ts';

/**
 * Runs before the page's code has arrived, from a file of its own: asks who is signed in, then for their
 * clusters, opens the live socket for them, and subscribes to the rows of the address. It never fails: the page asks again for whatever is missing.
 */

/** A socket, and what it said before anybody listened. */
interface Line {
  readonly socket: WebSocket;
  readonly said: Event[];
  /** The subscribe message that was sent, as text. */
  asked: string | undefined;
  /** Ends listening for who takes it. */
  readonly taken: AbortController;
}

/** Answers on their way, by path; each is taken once. */
const answers = new Map<string, Promise<Response>>();

function ask(path: string): Promise<Response> {
  const answer = fetch(path, {
    headers: { accept: 'application/json' },
    credentials: 'same-origin',
    cache: 'no-store',
  });
  answers.set(path, answer);
  return answer;
}

let line: Line | undefined;
/** The page has its own line by now: none is opened for it any more. */
let isTaken = false;
const events = ['open', 'message', 'close'] as const;

async function openLine(asked: Promise<Response>): Promise<void> {
  const response = await asked;
  if (!response.ok) return;
  const { user } = (await response.clone().json()) as { readonly user?: Parameters<typeof isValidUser>[0] };
  if (isTaken || user === undefined || !isValidUser(user) || !/^\/(clusters\/|$)/.test(location.pathname))
    return;
  // No screen of a cluster is drawn before the person's clusters are known. A failure is shown by who takes the answer.
  ask(clustersPath).catch(() => undefined);
  // The columns joined for the wide table are asked for too if the person has chosen it; the page stores that choice.
  const message =
    localStorage.getItem(columnsKey) === null ? firstMessage(location, firstLists()) : undefined;
  const mine: Line = { socket: webSocket(), said: [], asked: undefined, taken: new AbortController() };
  line = mine;
  for (const type of events)
    mine.socket.addEventListener(type, (event) => void mine.said.push(event), { signal: mine.taken.signal });
  if (message === undefined) return;
  mine.socket.addEventListener('open', () => {
    mine.asked = JSON.stringify(message);
    mine.socket.send(mine.asked);
  });
}
openLine(ask(sessionPath)).catch(() => undefined);

/** The lists of all kinds, which the page's HTML brings along: it has been read by the time the session is known. */
function firstLists(): FirstLists {
  const text = document.getElementById(firstListsId)?.textContent ?? '{}';
  return JSON.parse(text) as FirstLists;
}

function webSocket(): WebSocket {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  return new WebSocket(`${scheme}://${location.host}${livePath}`);
}

/** Calls the server; the first time, what was asked early is answered with that. */
export function fetchOnce(path: string, init: RequestInit): Promise<Response> {
  const early = answers.get(path);
  answers.delete(path);
  return early ?? fetch(path, init);
}

/** A line to the server: the first time the one that was opened early, if it was. */
export function openSocket(on: SocketEvents): Socket {
  isTaken = true;
  line?.taken.abort();
  // One that has ended meanwhile has nothing to say to who comes later.
  const early = line !== undefined && line.socket.readyState <= WebSocket.OPEN ? line : undefined;
  line = undefined;
  const socket = early?.socket ?? webSocket();
  const hear = (event: Event) => {
    if (event.type === 'open') on.onOpen();
    else if (event instanceof CloseEvent) on.onClose(event.code);
    else if (event instanceof MessageEvent && typeof event.data === 'string') on.onMessage(event.data);
  };
  for (const type of events) socket.addEventListener(type, hear);
  // Before anything else is heard, but not before whoever opens the line has it.
  if (early !== undefined) queueMicrotask(() => early.said.forEach(hear));
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => socket.close(),
    asked: () => {
      const text = early?.asked;
      if (early !== undefined) early.asked = undefined;
      return text;
    },
  };
}
