import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import { Input, InputBox } from './input.tsx';
import { Glyph } from './marks.tsx';

/** The texts around a field. */
export interface FieldText {
  readonly label: ReactNode;
  /** Said below the field instead of the help. */
  readonly error?: string | undefined;
  readonly help?: ReactNode;
}

/** The fields of a form, one below the other. */
export const formLook = 'flex flex-col gap-3.5';
/** A control below its label, with its texts below it. */
export const fieldLook = 'flex min-w-0 flex-col gap-1';
/** The label above a control. */
export const labelLook = 'text-xs font-medium text-text-2';

interface FieldNoteProps {
  readonly id?: string;
  readonly role?: 'alert';
  readonly children: ReactNode;
}

/** The help text below a control. */
export function FieldHelp(props: FieldNoteProps) {
  return <p {...props} className="text-xs text-text-3" />;
}

/** The error message below a control. */
export function FieldError({ children, ...rest }: FieldNoteProps) {
  return (
    <p {...rest} className="flex gap-1 text-xs text-bad-fg *:[svg]:mt-0.5">
      <Glyph tone="bad" size={11} />
      {children}
    </p>
  );
}

/** A control with its label, and its help or what is wrong with it. */
export function Field({
  id,
  label,
  required,
  error,
  help,
  hidesLabel = false,
  children,
}: FieldText & {
  readonly id: string;
  readonly required: boolean | undefined;
  /** The label is for screen readers alone. */
  readonly hidesLabel?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={fieldLook}>
      <label htmlFor={id} className={hidesLabel ? 'sr-only' : labelLook}>
        {label}
        {required === true && (
          <span className="text-bad-fg" aria-hidden="true">
            {' '}
            *
          </span>
        )}
      </label>
      {children}
      {error !== undefined ? (
        <FieldError id={`${id}-note`}>{error}</FieldError>
      ) : (
        help !== undefined && <FieldHelp id={`${id}-note`}>{help}</FieldHelp>
      )}
    </div>
  );
}

/** The id of what is said below a control, if anything is. */
export const noteOf = (id: string, error: string | undefined, help: ReactNode) =>
  error !== undefined || help !== undefined ? `${id}-note` : undefined;

interface TextFieldProps extends FieldText, Omit<InputHTMLAttributes<HTMLInputElement>, 'size'> {
  readonly size?: 'md' | 'lg';
  readonly ref?: Ref<HTMLInputElement>;
}

/** A labelled line of text. */
export function TextField({ label, error, help, size = 'md', className, ...input }: TextFieldProps) {
  const id = useId();
  return (
    <Field id={id} label={label} required={input.required} error={error} help={help}>
      <InputBox size={size} isInvalid={error !== undefined} className={className}>
        <Input
          {...input}
          id={id}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={noteOf(id, error, help)}
        />
      </InputBox>
    </Field>
  );
}

interface TitleFieldProps extends Pick<TextFieldProps, 'help' | 'placeholder' | 'spellCheck'> {
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** The name that somebody gives to a thing of the console, by which people tell it from others. */
export function TitleField({ onChange, ...field }: TitleFieldProps) {
  return (
    <TextField
      {...field}
      label="Name"
      required
      maxLength={100}
      autoComplete="off"
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
