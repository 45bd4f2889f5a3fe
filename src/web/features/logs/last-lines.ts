import type { LogRequest } from '../../../contract/log.ts';
import { plainText } from './ansi.ts';
import { type LogParts, readLog } from './stream.ts';

/** Lines that are read. */
export const lastLinesCount = 8;
/** Tries to reach the console before it is given up. */
const tries = 3;

/** The end of a log, as far as it has been read. */
export type LastLines =
  | { readonly type: 'reading' }
  | { readonly type: 'read'; readonly lines: readonly string[] }
  | { readonly type: 'failed'; readonly title: string };

/** Which log: that of one container of one pod. */
export interface EndedLog {
  readonly cluster: string;
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly previous: boolean;
}

/** Reads the last lines of a container once. `onRead` is called with them; the returned function cancels the read. */
export function readLastLines(
  { cluster, namespace, pod, container, previous }: EndedLog,
  parts: Pick<LogParts, 'connect' | 'later' | 'random'>,
  onRead: (found: LastLines) => void,
): () => void {
  const lines: string[] = [];
  let failures = 0;
  const of: LogRequest['of'] = { pods: [{ namespace, name: pod }] };
  const close = readLog(
    { cluster, of, container, previous, tailLines: lastLinesCount, isOnce: true },
    {
      ...parts,
      positions: () => new Map(),
      sources: () => [],
      onSource: () => {},
      onLeftOut: () => {},
      onLines: (more) => {
        for (const [, text, , mark] of more) if (mark === undefined) lines.push(plainText(text));
      },
      onState: (state) => {
        if (state.type === 'ended') {
          onRead(
            state.reason === 'ended'
              ? { type: 'read', lines: lines.slice(-lastLinesCount) }
              : { type: 'failed', title: state.title },
          );
        } else if (state.type === 'reconnecting') {
          failures += 1;
          lines.length = 0;
          if (failures < tries) return;
          close();
          onRead({ type: 'failed', title: state.message ?? 'The log could not be read.' });
        }
      },
    },
  );
  return close;
}
