import { type RefObject, useEffect, useState } from 'react';
import { useKept } from '../../core/state/port.ts';
import { useCell } from '../../core/state/state.ts';
import { connectTo } from '../../data/socket/socket.ts';
import { Player } from './player.ts';
import { readerMode } from './reader.ts';
import { openReplay, type ReplayState } from './replay-session.ts';
import { createScreen, type TerminalScreen } from './screen.ts';

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
  const [shown, setShown] = useState<{ readonly player: Player; readonly screen: TerminalScreen }>();
  const cast = state.type === 'loaded' ? state.cast : undefined;

  useEffect(() => {
    const place = element.current;
    if (place === null || cast === undefined) return undefined;
    const nothing = () => undefined;
    // What a recording asks of the terminal is neither answered nor done.
    const screen = createScreen(place, {
      onInput: nothing,
      onResize: nothing,
      onClipboardRefused: nothing,
      isReplay: true,
    });
    const player = new Player({
      cast,
      screen,
      now: () => performance.now(),
      later(run, ms) {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    });
    setShown({ player, screen });
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const adapt = () => screen.adapt();
    dark.addEventListener('change', adapt);
    return () => {
      setShown(undefined);
      dark.removeEventListener('change', adapt);
      player.dispose();
      screen.dispose();
    };
  }, [element, cast]);

  useEffect(() => shown?.screen.adapt(), [shown, theme, isVisible]);
  useEffect(() => shown?.screen.setReader(isReader), [shown, isReader]);
  return shown?.player;
}
