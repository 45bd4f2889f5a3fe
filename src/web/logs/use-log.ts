import { useEffect, useState } from 'react';
import { createLogBuffer, type LogBuffer } from './buffer.ts';
import { type LogState, type LogTarget, readLog } from './stream.ts';

/** Most lines kept of a log. */
export const logLimit = 50_000;
/** Lines are drawn at most this often (ms). */
const batch = 100;

/** A log as it is on screen. `version` changes whenever the buffer did. */
export interface ShownLog {
  readonly buffer: LogBuffer;
  readonly version: number;
  readonly state: LogState;
  /** Lines the server left out, as this page did not keep up. */
  readonly dropped: number;
}

const empty = (): ShownLog => ({
  buffer: createLogBuffer(logLimit),
  version: 0,
  state: { type: 'opening' },
  dropped: 0,
});

/**
 * Reads a log while it is looked at; what was read stays, and is gone on with.
 * @param run names the present run of the container: with another one a log that ended is read on
 */
export function useLog(target: LogTarget, isVisible: boolean, run: string): ShownLog {
  const [log, setLog] = useState(empty);
  const { self, container, previous, tailLines } = target;
  const text = JSON.stringify([self, container, previous, tailLines]);
  const [known, setKnown] = useState(text);
  if (known !== text) {
    setKnown(text);
    setLog(empty());
  }
  const { buffer } = log;

  useEffect(() => {
    if (!isVisible) return undefined;
    let lost = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = () => {
      timer = undefined;
      const added = lost;
      lost = 0;
      setLog((one) =>
        one.buffer === buffer ? { ...one, version: one.version + 1, dropped: one.dropped + added } : one,
      );
    };
    const close = readLog(
      { self, container, previous, tailLines },
      {
        connect: (path, on) => {
          const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
          const socket = new WebSocket(`${scheme}://${location.host}${path}`);
          socket.addEventListener('message', ({ data }) => {
            if (typeof data === 'string') on.message(data);
          });
          socket.addEventListener('close', on.closed);
          return socket;
        },
        later: (run, ms) => {
          const waiting = setTimeout(run, ms);
          return () => clearTimeout(waiting);
        },
        random: () => Math.random(),
        resume: () => buffer.resume(),
        onLines: (lines, dropped) => {
          buffer.push(lines);
          lost += dropped;
          timer ??= setTimeout(draw, batch);
        },
        onState: (state) => setLog((one) => (one.buffer === buffer ? { ...one, state } : one)),
      },
    );
    return () => {
      clearTimeout(timer);
      close();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- `text` stands for the target, made anew each time; another `run` reads on
  }, [text, buffer, isVisible, run]);
  return log;
}
