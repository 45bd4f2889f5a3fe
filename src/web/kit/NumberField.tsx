import type { KeyboardEvent, MouseEvent } from 'react';
import { TextField } from './fields.tsx';

interface NumberFieldProps {
  readonly label: string;
  /** As typed: it need not be a number. */
  readonly value: string;
  readonly min: number;
  readonly max: number;
  /** The value before the change; empty if it is not known. */
  readonly before: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/**
 * A whole number. Focusing the field selects its content, so that typing replaces it; the line below shows the old and
 * the new value. Up and Down change it by one.
 */
export function NumberField({ label, value, min, max, before, error, onChange }: NumberFieldProps) {
  const number = /^\d+$/.test(value.trim()) ? Number(value) : undefined;
  const range = `${min} to ${max}`;
  const isChanged = before !== '' && number !== undefined && String(number) !== before;
  const press = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (by === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onChange(String(Math.min(max, Math.max(min, (number ?? min - by) + by))));
  };
  const take = (event: MouseEvent<HTMLInputElement>) => {
    if (document.activeElement === event.currentTarget) return;
    // A press would put the cursor behind the old number, to which typing then adds.
    event.preventDefault();
    event.currentTarget.focus();
  };
  return (
    <TextField
      label={label}
      role="spinbutton"
      inputMode="numeric"
      autoComplete="off"
      required
      value={value}
      aria-required
      aria-valuenow={number}
      aria-valuemin={min}
      aria-valuemax={max}
      error={error}
      help={
        isChanged ? (
          <>
            <b className="font-semibold">
              {before} → {number}
            </b>{' '}
            ({range})
          </>
        ) : (
          range
        )
      }
      onChange={(event) => onChange(event.target.value)}
      onFocus={(event) => event.currentTarget.select()}
      onMouseDown={take}
      onKeyDown={press}
    />
  );
}
