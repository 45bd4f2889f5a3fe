import type { ReactNode } from 'react';
import type { LogTurn } from '../../../registry/commands/services.ts';
import { useKeyText } from '../../keyboard/Keys.tsx';
import { IconButton } from '../../kit/Button.tsx';
import { NativeSelect } from '../../kit/input.tsx';

interface LogButtonProps {
  readonly what: LogTurn;
  readonly label: string;
  readonly turn: (what: LogTurn) => void;
  /** Whether a switch is on; left out for what is no switch. */
  readonly isOn?: boolean;
  readonly children: ReactNode;
}

/** A button of a log's bar that does what one of the log's keys does. */
export function LogButton({ what, label, turn, isOn, children }: LogButtonProps) {
  return (
    <IconButton
      size="sm"
      label={label}
      keyHint={useKeyText(`log.${what}`)}
      variant={isOn === true ? 'light' : 'transparent'}
      aria-pressed={isOn}
      onClick={() => turn(what)}
    >
      {children}
    </IconButton>
  );
}

interface LogChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly onChoose: (value: string) => void;
}

/** One of several, in a log's bar. */
export function LogChoice({ label, value, choices, onChoose }: LogChoiceProps) {
  return (
    <NativeSelect
      className="in-data-toolbar:max-w-48"
      aria-label={label}
      value={value}
      onChange={(event) => onChoose(event.target.value)}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </NativeSelect>
  );
}
