import { useCallback, useEffect, useRef, useState } from 'react';
import type { LogLine } from '../../../contract/log.ts';
import { createLogBuffer, type LogBuffer } from './buffer.ts';
import { connectTo } from '../../data/socket/socket.ts';
import { type LogState, type LogTarget, readLog, type ShownSource } from './stream.ts';

/** Most lines kept of a log; as many again while it is paused. */
export const logLimit = 100_000;
/** Lines are drawn at most this often (ms). */
const batch = 100;

/** A log as it is on screen. `version` changes whenever the buffer did. */
export interface ShownLog {
  readonly buffer: LogBuffer;
  readonly version: number;
  readonly state: LogState;
  readonly sources: readonly ShownSource[];
  /** Lines the server left out, as this page did not keep up. */
  readonly dropped: number;
  /** Containers that are not read, as there are too many. */
  readonly leftOut: readonly string[];
  readonly isPaused: boolean;
  /** Lines that came while it is paused. */
  readonly held: number;
}

const empty = (): ShownLog => ({
  buffer: createLogBuffer(logLimit),
  version: 0,
  state: { type: 'opening' },
  sources: [],
  dropped: 0,
  leftOut: [],
  isPaused: false,
  held: 0,
});

/** Lines that arrive while a log is paused: bounded, with a count of the dropped ones. */
interface Waiting {
  lines: LogLine[];
  lost: number;
}

/** Reads a log while it is looked at; what was read stays, and is gone on with. */
export function useLog(
  target: LogTarget,
  isVisible: boolean,
): ShownLog & { readonly setPaused: (isPaused: boolean) => void } {
  const [log, setLog] = useState(empty);
  const text = JSON.stringify(target);
  const [known, setKnown] = useState(text);
  if (known !== text) {
    setKnown(text);
    setLog(empty());
  }
  const { buffer } = log;
  const waiting = useRef<Waiting | undefined>(undefined);
  useEffect(() => {
    waiting.current = undefined;
    // oxlint-disable-next-line react/exhaustive-deps, react/exhaustive-effect-dependencies -- another log has nothing that waits
  }, [text]);

  const current = useRef(log);
  useEffect(() => {
    current.current = log;
  }, [log]);
  const setPaused = useCallback((wanted: boolean) => {
    const one = current.current;
    if (one.isPaused === wanted) return;
    const held = waiting.current;
    waiting.current = wanted ? { lines: [], lost: 0 } : undefined;
    if (held !== undefined) {
      if (held.lost > 0) {
        const said = `${held.lost} lines that arrived during the pause were discarded.`;
        one.buffer.push([['', said, 0, 'mark']]);
      }
      one.buffer.push(held.lines, true);
    }
    setLog((now) => ({ ...now, isPaused: wanted, held: 0, version: now.version + 1 }));
  }, []);

  useEffect(() => {
    if (!isVisible) return undefined;
    const target = JSON.parse(text) as LogTarget;
    let lost = 0;
    let state: LogState | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Kept here as well: what is learnt must be known before it has been drawn.
    let sources = current.current.buffer === buffer ? current.current.sources : [];
    const draw = () => {
      clearTimeout(timer);
      timer = undefined;
      const added = lost;
      lost = 0;
      setLog((one) =>
        one.buffer === buffer
          ? {
              ...one,
              version: one.version + 1,
              sources,
              dropped: one.dropped + added,
              held: waiting.current?.lines.length ?? 0,
              state: state ?? one.state,
            }
          : one,
      );
    };
    const soon = () => {
      timer ??= setTimeout(draw, batch);
    };
    const close = readLog(target, {
      connect: connectTo,
      later: (run, ms) => {
        const timeout = setTimeout(run, ms);
        return () => clearTimeout(timeout);
      },
      random: () => Math.random(),
      positions: () => buffer.positions(),
      sources: () => sources,
      onSource: (source) => {
        sources = [...sources, source];
        soon();
      },
      onLines: (lines, dropped) => {
        const held = waiting.current;
        if (held === undefined) buffer.push(lines);
        else {
          // Positions go on, or a line to the console that breaks meanwhile would bring them twice.
          buffer.note(lines);
          held.lines.push(...lines);
          const over = held.lines.length - logLimit;
          if (over > 0) {
            held.lines.splice(0, over);
            held.lost += over;
          }
        }
        lost += dropped;
        soon();
      },
      onLeftOut: (leftOut) => setLog((one) => (one.buffer === buffer ? { ...one, leftOut } : one)),
      onState: (now) => {
        state = now;
        // With the lines that came before it: a live log without them would look empty.
        draw();
      },
    });
    return () => {
      draw();
      close();
    };
  }, [text, buffer, isVisible]);
  return { ...log, setPaused };
}
