import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import { Glyph } from './marks.tsx';

/** What is said around a field. */
export interface FieldText {
  readonly label: ReactNode;
  /** Said below the field instead of the help. */
  readonly error?: string | undefined;
  readonly help?: ReactNode;
}

/** A control with its label, and its help or what is wrong with it. */
export function Field({
  id,
  label,
  required,
  error,
  help,
  children,
}: FieldText & {
  readonly id: string;
  readonly required: boolean | undefined;
  readonly children: ReactNode;
}) {
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {required === true && (
          <span className="req" aria-hidden="true">
            {' '}
            *
          </span>
        )}
      </label>
      {children}
      {error !== undefined ? (
        <p className="help bad" id={`${id}-note`}>
          <Glyph tone="bad" size={11} />
          {error}
        </p>
      ) : (
        help !== undefined && (
          <p className="help" id={`${id}-note`}>
            {help}
          </p>
        )
      )}
    </div>
  );
}

/** The id of what is said below a control, if anything is. */
export const noteOf = (id: string, error: string | undefined, help: ReactNode) =>
  error !== undefined || help !== undefined ? `${id}-note` : undefined;

interface TextFieldProps extends FieldText, Omit<InputHTMLAttributes<HTMLInputElement>, 'size'> {
  readonly ref?: Ref<HTMLInputElement>;
}

/** A labelled line of text. */
export function TextField({ label, error, help, className = '', ...input }: TextFieldProps) {
  const id = useId();
  return (
    <Field id={id} label={label} required={input.required} error={error} help={help}>
      <span className={`input ${error === undefined ? '' : 'err'} ${className}`}>
        <input
          {...input}
          id={id}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={noteOf(id, error, help)}
        />
      </span>
    </Field>
  );
}
