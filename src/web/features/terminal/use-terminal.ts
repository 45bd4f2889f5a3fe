import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Problem } from '../../../contract/problem.ts';
import { useCommands } from '../../core/commands.ts';
import { useKept } from '../../core/state/port.ts';
import { useCell } from '../../core/state/state.ts';
import { useData } from '../../data/port.ts';
import { connectTo } from '../../data/socket/socket.ts';
import { readerMode } from './reader.ts';
import { createScreen, type TerminalScreen } from './screen.ts';
import { openShell, type ShellSession, type ShellState, type ShellTarget } from './session.ts';

/** A terminal as a view shows it. */
export interface ShownTerminal {
  readonly state: ShellState;
  /** What it shows is recorded. */
  readonly isRecorded: boolean;
  /** Opens another session in place of the one that ended. */
  readonly restart: () => void;
  readonly focus: () => void;
  /** The selected text; empty without a selection. */
  readonly selection: () => string;
  readonly paste: (text: string) => void;
}

/** Draws a terminal into an element and runs a session in it. One target for its life: another is another component. */
export function useTerminal(
  element: RefObject<HTMLDivElement | null>,
  target: ShellTarget,
  isVisible: boolean,
): ShownTerminal {
  const { services } = useCommands();
  const { appearance } = useKept();
  const { toast } = services;
  const { identity } = useData();
  const theme = useCell(appearance, (value) => value.theme);
  const isReader = useCell(readerMode);
  const [state, setState] = useState<ShellState>({ type: 'opening' });
  const [attempt, setAttempt] = useState(0);
  const [isRecorded, setIsRecorded] = useState(false);
  const screen = useRef<TerminalScreen>(undefined);
  const session = useRef<ShellSession>(undefined);
  // Each render passes a new but equal target.
  const [fixed] = useState(target);

  useEffect(() => {
    const place = element.current;
    if (place === null) return undefined;
    const made = createScreen(place, {
      onInput: (text) => session.current?.input(text),
      onResize: (columns, rows) => session.current?.resize(columns, rows),
      onClipboardRefused: () =>
        toast.warning('A program in the terminal asked for your clipboard. It did not get it.'),
    });
    screen.current = made;
    const observer = new ResizeObserver(() => made.adapt());
    observer.observe(place);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const adapt = () => made.adapt();
    dark.addEventListener('change', adapt);
    return () => {
      observer.disconnect();
      dark.removeEventListener('change', adapt);
      made.dispose();
      screen.current = undefined;
    };
  }, [element, toast]);

  useLayoutEffect(() => {
    screen.current?.adapt();
  }, [theme, isVisible]);
  useEffect(() => screen.current?.setReader(isReader), [isReader]);

  useEffect(() => {
    const shown = screen.current;
    if (shown === undefined) return undefined;
    shown.reset();
    shown.setWritable(true);
    let isLeft = false;
    /** Has the person use a passkey and opens the shell then; it has ended where they decline. */
    const openByPasskey = async (ended: Extract<ShellState, { type: 'ended' }>) => {
      const problem = new Problem({
        status: 403,
        title: ended.title,
        code: 'passkey-needed',
        proof: 'passkey',
      });
      const isUsed = await identity.confirm(problem);
      if (isLeft) return;
      if (isUsed) {
        setAttempt((number) => number + 1);
        return;
      }
      setState(ended);
      shown.setWritable(false);
    };
    const opened = openShell(
      fixed,
      { columns: shown.columns, rows: shown.rows },
      {
        connect: connectTo,
        onData: (data) => shown.write(data),
        onRecorded: () => setIsRecorded(true),
        onState: (next) => {
          if (next.type === 'ended' && next.reason === 'passkey-needed') {
            void openByPasskey(next);
            return;
          }
          setState(next);
          // The size may have changed while it was being opened.
          if (next.type === 'running') session.current?.resize(shown.columns, shown.rows);
          if (next.type === 'ended') shown.setWritable(false);
        },
      },
    );
    session.current = opened;
    return () => {
      isLeft = true;
      session.current = undefined;
      opened.close();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- another attempt is another session
  }, [attempt, fixed]);

  return {
    state,
    isRecorded: isRecorded && state.type !== 'ended',
    restart: useCallback(() => {
      setState({ type: 'opening' });
      setIsRecorded(false);
      setAttempt((number) => number + 1);
    }, []),
    focus: useCallback(() => screen.current?.focus(), []),
    selection: useCallback(() => screen.current?.selection() ?? '', []),
    paste: useCallback((text: string) => screen.current?.paste(text), []),
  };
}
