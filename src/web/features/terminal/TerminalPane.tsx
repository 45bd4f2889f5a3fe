import { Accessibility, ClipboardPaste, Copy } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { toolNeeds } from '../../../registry/kinds/object-tools.ts';
import { useCommands } from '../../core/commands.ts';
import { BackHint } from '../../keyboard/Hints.tsx';
import { KeysOf } from '../../keyboard/Keys.tsx';
import { LogBar, LogBarSpace } from '../logs/LogBar.tsx';
import { useCell } from '../../core/state/state.ts';
import { AccessCountdown } from '../../frame/AccessCountdown.tsx';
import { Button, IconButton } from '../../kit/Button.tsx';
import { freshLook, messageLook, StatusHint, StatusLine, StatusSpace } from '../../kit/StatusLine.tsx';
import { ViewBody } from '../../kit/ViewBody.tsx';
import { WhyNotButton } from '../../kit/WhyNotButton.tsx';
import { useHeld } from '../../workspace/use-held.ts';
import { ShownAs } from '../../workspace/use-tool.ts';
import { useView } from '../../workspace/view.ts';
import { readerMode } from './reader.ts';
import { RecordedBanner } from './RecordedBanner.tsx';
import { modeWord, type ShellState, type ShellTarget } from './session.ts';
import { useTerminal } from './use-terminal.ts';

interface TerminalPaneProps {
  readonly target: ShellTarget;
  readonly label: string;
  /** The container picker. */
  readonly choice: ReactNode;
}

function wordsOf(state: ShellState, mode: ShellTarget['mode']): string {
  if (state.type === 'opening') return mode === 'attach' ? 'Attaching' : 'Looking for a shell';
  if (state.type === 'running') return state.command === '' ? 'Attached' : `Running ${state.command}`;
  return 'Ended';
}

/** One session in a container: the terminal, how it does, and why it ended. */
export function TerminalPane({ target, label, choice }: TerminalPaneProps) {
  const { services } = useCommands();
  const { isVisible, isFocused } = useView();
  const element = useRef<HTMLDivElement>(null);
  const again = useRef<HTMLButtonElement>(null);
  const { state, isRecorded, restart, focus, selection, paste } = useTerminal(element, target, isVisible);
  const isReader = useCell(readerMode);
  const isOver = state.type === 'ended';
  useHeld(isOver ? undefined : 'an open terminal', false);

  // A person who typed in the terminal can start it again by Enter; focus elsewhere is left alone.
  useEffect(() => {
    if (isOver && element.current?.contains(document.activeElement) === true) again.current?.focus();
  }, [isOver]);
  useEffect(() => {
    if (isVisible && isFocused) focus();
    // oxlint-disable-next-line react/exhaustive-deps -- once it is there; later the workspace moves the focus
  }, []);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(selection());
    } catch {
      services.toast.warning('The browser did not allow copying. Use the browser’s own copy instead.');
    }
    focus();
  };
  const pasteNow = async () => {
    try {
      paste(await navigator.clipboard.readText());
    } catch {
      services.toast.warning('The browser did not allow pasting. Paste with Ctrl+Shift+V or Shift+Insert.');
    }
    focus();
  };
  return (
    <>
      <LogBar>
        {choice}
        <LogBarSpace />
        <IconButton size="sm" label="Copy selection" onClick={() => void copy()}>
          <Copy size={14} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
        <IconButton
          size="sm"
          label="Paste"
          reason={isOver ? 'It has ended.' : undefined}
          onClick={() => void pasteNow()}
        >
          <ClipboardPaste size={14} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
        <IconButton
          size="sm"
          label="For screen readers"
          variant={isReader ? 'light' : 'transparent'}
          aria-pressed={isReader}
          onClick={() => readerMode.set(!isReader)}
        >
          <Accessibility size={14} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      </LogBar>
      <RecordedBanner isRecorded={isRecorded} />
      <ViewBody
        role="region"
        className="bg-surface py-1.5 pr-0.5 pl-2.5 text-(length:--text-xs) focus-within:outline-2 focus-within:-outline-offset-2 focus-within:outline-focus"
        aria-label={label}
        data-keys="terminal"
      >
        <div className="size-full" ref={element} />
      </ViewBody>
      {isOver && (
        // Who goes on typing into a shell that has ended does nothing to the console.
        <div
          className={`flex items-center gap-3 border-t px-3 py-1.5 ${state.reason === 'exited' ? 'border-border bg-raised' : 'border-bad-border bg-bad-bg text-bad-fg'}`}
          role="alert"
          data-keys="ended"
        >
          <span className="min-w-0 flex-1">{state.title}</span>
          {state.reason === 'denied' && toolNeeds.shell !== undefined && (
            <WhyNotButton
              refused={{
                what: target.mode === 'attach' ? 'Attach' : 'Shell',
                needs: toolNeeds.shell,
                cluster: target.self.cluster,
                namespace: target.self.namespace,
              }}
            />
          )}
          <Button
            ref={again}
            size="sm"
            variant="primary"
            onClick={() => {
              restart();
              focus();
            }}
          >
            Start again
          </Button>
        </div>
      )}
      <StatusLine mode={modeWord[target.mode]}>
        <span className={freshLook()} role="status">
          {wordsOf(state, target.mode)}
        </span>
        <span className={messageLook}>{target.container}</span>
        <AccessCountdown clusterId={Number(target.self.cluster)} />
        <StatusSpace />
        {isOver ? (
          <>
            <ShownAs name="page" />
            <BackHint />
          </>
        ) : (
          <StatusHint>
            <KeysOf id="keys.leader" />
            gives the next key to the console
          </StatusHint>
        )}
      </StatusLine>
    </>
  );
}
