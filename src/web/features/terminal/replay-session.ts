import { type Cast, readCast } from '../../../contract/asciicast.ts';
import { liveClose } from '../../../contract/live-socket.ts';
import { type Recording, type ReplayMessage, replayPath } from '../../../contract/recordings.ts';
import { fillPath } from '../../../registry/path.ts';
import { ReconnectingSocket } from '../../data/socket/reconnecting-socket.ts';
import type { Connect } from '../../data/socket/socket.ts';

/** How a replay does that is asked for. */
export type ReplayState =
  /** @param received bytes so far */
  | { readonly type: 'loading'; readonly received: number; readonly recording: Recording | undefined }
  | { readonly type: 'loaded'; readonly recording: Recording; readonly cast: Cast }
  /** There is nothing to see, or nothing more: a sentence says why. */
  | { readonly type: 'ended'; readonly title: string };

export interface ReplayParts {
  /** Opens a connection at a path. */
  readonly connect: (path: string) => Connect;
  readonly onState: (state: ReplayState) => void;
}

const endOf = (code: number): string =>
  code === liveClose.signedOut
    ? 'Your session ended.'
    : code === liveClose.restart
      ? 'The console was restarted. Open the recording again.'
      : 'The recording could not be opened, or the connection was lost. It may have been deleted, with the audit entries of that time.';

/**
 * Asks for a recording, and gives it once all of it is there. The connection stays: with it the right to see the
 * recording ends, and the last state says so. Returns a function that leaves.
 */
export function openReplay(recordingId: string, { connect, onState }: ReplayParts): () => void {
  const decoder = new TextDecoder();
  let chunks: string[] = [];
  let received = 0;
  let recording: Recording | undefined;
  const end = (title: string) => {
    chunks = [];
    socket.close();
    onState({ type: 'ended', title });
  };
  const complete = () => {
    if (recording === undefined) return;
    try {
      onState({ type: 'loaded', recording, cast: readCast(chunks.join('') + decoder.decode()) });
      chunks = [];
    } catch {
      end('The recording cannot be read: it is not an asciicast.');
    }
  };
  const socket = new ReconnectingSocket({
    connect: connect(fillPath(replayPath, { recordingId })),
    isFinal: () => true,
    onState: (state) => {
      if (state.phase === 'closed') end(endOf(state.code));
    },
    onOpen: () => socket.confirm(),
    onMessage: (text) => {
      const message = JSON.parse(text) as ReplayMessage;
      if (message.type === 'ended') end(message.title);
      else if (message.type === 'complete') complete();
      else {
        ({ recording } = message);
        onState({ type: 'loading', received, recording });
      }
    },
    onData: (data) => {
      chunks.push(decoder.decode(data, { stream: true }));
      received += data.length;
      onState({ type: 'loading', received, recording });
    },
  });
  onState({ type: 'loading', received, recording });
  socket.open();
  return () => socket.close();
}
