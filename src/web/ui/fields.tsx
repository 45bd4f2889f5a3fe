import { ChevronDown, LoaderCircle } from 'lucide-react';
import { type InputHTMLAttributes, type ReactNode, type Ref, type SelectHTMLAttributes, useId } from 'react';
import { Glyph } from './marks.tsx';

interface Common {
  readonly label: ReactNode;
  /** Said below the field instead of the help. */
  readonly error?: string | undefined;
  readonly help?: ReactNode;
}

function Field({
  id,
  label,
  required,
  error,
  help,
  children,
}: Common & { readonly id: string; readonly required: boolean | undefined; readonly children: ReactNode }) {
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

const noteOf = (id: string, error: string | undefined, help: ReactNode) =>
  error !== undefined || help !== undefined ? `${id}-note` : undefined;

interface TextFieldProps extends Common, Omit<InputHTMLAttributes<HTMLInputElement>, 'size'> {
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

interface SelectProps extends Common, SelectHTMLAttributes<HTMLSelectElement> {
  /** A spinner replaces the chevron and nothing can be chosen. */
  readonly isLoading?: boolean;
  readonly placeholder?: string;
  /** What stands for the choice, in front of it. */
  readonly icon?: ReactNode;
}

/** The labelled dropdown select. */
export function Select({
  label,
  error,
  help,
  isLoading = false,
  placeholder,
  icon,
  disabled,
  children,
  ...select
}: SelectProps) {
  const id = useId();
  return (
    <Field id={id} label={label} required={select.required} error={error} help={help}>
      <span className={`input select ${error === undefined ? '' : 'err'}`} aria-busy={isLoading || undefined}>
        {icon}
        <select
          {...select}
          id={id}
          disabled={disabled === true || isLoading}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={noteOf(id, error, help)}
        >
          {placeholder !== undefined && (
            <option value="" disabled>
              {placeholder}
            </option>
          )}
          {children}
        </select>
        {isLoading ? (
          <LoaderCircle className="spin chev" size={13} aria-hidden="true" />
        ) : (
          <ChevronDown className="chev" size={13} aria-hidden="true" />
        )}
      </span>
    </Field>
  );
}
