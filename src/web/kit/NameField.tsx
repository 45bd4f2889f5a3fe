import type { ReactNode } from 'react';
import { TextField } from './fields.tsx';

interface NameFieldProps {
  /** Says which text confirms, and what it does. */
  readonly label: ReactNode;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Whether a text is the one that was asked for, to the letter: a paste may bring blanks around it. */
export const isTyped = (value: string, wanted: string): boolean => value.trim() === wanted;

/** The field for the name that confirms an act: its dialog begins there, and its Enter confirms. */
export function NameField({ label, value, onChange }: NameFieldProps) {
  return (
    <TextField
      data-confirms=""
      label={label}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
