import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useKept } from '../../core/state/port.ts';
import { cell, useCell } from '../../core/state/state.ts';
import { connectTo } from '../../data/socket/socket.ts';
import { Player } from './player.ts';
import { readerMode } from './reader.ts';
import { openReplay, type ReplayState } from './replay-session.ts';
import { createScreen, type TerminalScreen } from './screen.ts';

/** The sequence that empties a terminal and forgets every mode. */
const fullReset = '\u001bc';

/** Follows a recording as long as the view is there. */
export function useRecording(id: string): ReplayState {
  const [state, setState] = useState<ReplayState>({ type: 'loading', received: 0, recording: undefined });
  useEffect(() => openReplay(id, { connect: connectTo, onState: setState }), [id]);
  return state;
}

/** Draws what is played into an element. Undefined while there is nothing to play, or no longer. */
export function usePlayer(
  element: RefObject<HTMLDivElement | null>,
  state: ReplayState,
  isVisible: boolean,
): Player | undefined {
  const { appearance } = useKept();
  const theme = useCell(appearance, (value) => value.theme);
  const isReader = useCell(readerMode);
  const [shown] = useState(() => cell<Player | undefined>(undefined));
  const screen = useRef<TerminalScreen>(undefined);
  const cast = state.type === 'loaded' ? state.cast : undefined;

  useEffect(() => {
    const box = element.current;
    if (box === null || cast === undefined) return undefined;
    const nothing = () => undefined;
    // What a recording asks of the terminal is neither answered nor done.
    const made = createScreen(box, {
      onInput: nothing,
      onResize: nothing,
      onClipboardRefused: nothing,
      isReplay: true,
    });
    const player = new Player({
      cast,
      // All of it in the order of what is written, which takes its time.
      screen: {
        write: (text) => made.write(text),
        reset: () => made.write(fullReset),
        resize: (columns, rows) => made.write('', () => made.resize(columns, rows)),
      },
      now: () => performance.now(),
      later(run, ms) {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    });
    made.setReader(readerMode.get());
    screen.current = made;
    shown.set(player);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const adapt = () => made.adapt();
    dark.addEventListener('change', adapt);
    return () => {
      shown.set(undefined);
      screen.current = undefined;
      dark.removeEventListener('change', adapt);
      player.dispose();
      made.dispose();
    };
  }, [element, cast, shown]);

  useLayoutEffect(() => {
    screen.current?.adapt();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- its colours and size are those of the page
  }, [theme, isVisible]);
  useEffect(() => screen.current?.setReader(isReader), [isReader]);
  return useCell(shown);
}
