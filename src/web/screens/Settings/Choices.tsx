import type { ReactNode } from 'react';

interface ChoicesProps<T extends string> {
  /** Of the group of radio buttons. */
  readonly name: string;
  readonly legend: string;
  readonly choices: readonly { readonly value: T; readonly title: string; readonly help: string }[];
  /** Undefined while it is not known. */
  readonly chosen: T | undefined;
  readonly onChoose: (value: T) => void;
  /** Content below the choices. */
  readonly children?: ReactNode;
}

/** One of a few, each with a line that says what it means. */
export function Choices<T extends string>({
  name,
  legend,
  choices,
  chosen,
  onChoose,
  children,
}: ChoicesProps<T>) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="text-text-2">{legend}</legend>
      {choices.map(({ value, title, help }) => (
        <label key={value} className="flex min-h-7 items-center gap-2">
          <input
            type="radio"
            className="accent-accent"
            name={name}
            value={value}
            checked={chosen === value}
            onChange={() => onChoose(value)}
          />
          <b className="font-semibold">{title}</b>
          <span className="text-text-2">{help}</span>
        </label>
      ))}
      {children}
    </fieldset>
  );
}
