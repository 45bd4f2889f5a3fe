import { FileUp } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId, useRef, useState } from 'react';
import { Button } from '../kit/Button.tsx';
import { FieldError, FieldHelp, fieldLook, labelLook } from '../kit/fields.tsx';
import { TextArea } from '../kit/input.tsx';

interface TextFileFieldProps
  extends Pick<
    ComponentProps<typeof TextArea>,
    'rows' | 'placeholder' | 'required' | 'isOver' | 'onDragOver' | 'onDragLeave' | 'onDrop'
  > {
  readonly label: string;
  /** Label of the button that chooses a file. */
  readonly fileLabel: string;
  /** Types of the files that can be chosen, all if undefined. */
  readonly accept?: string;
  /** Reads the text of a file. Rejects with a sentence. */
  readonly read: (file: File) => Promise<string>;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly error: string | undefined;
  readonly help: ReactNode;
}

/** A text of several lines that is typed, pasted or read from a file. */
export function TextFileField({
  label,
  fileLabel,
  accept,
  read,
  value,
  onChange,
  error,
  help,
  required = false,
  ...area
}: TextFileFieldProps) {
  const id = useId();
  const picker = useRef<HTMLInputElement>(null);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const note = error ?? failure;
  const take = (file: File | undefined) => {
    if (file === undefined) return;
    read(file).then(
      (text) => {
        setFailure(undefined);
        onChange(text);
      },
      (reason: unknown) =>
        setFailure(reason instanceof Error ? reason.message : 'The file could not be read.'),
    );
  };
  return (
    <div className={fieldLook}>
      <span className="flex min-w-0 items-center gap-1.5">
        <label htmlFor={id} className={`${labelLook} min-w-0 flex-1`}>
          {label}
          {required && (
            <span className="text-bad-fg" aria-hidden="true">
              {' '}
              *
            </span>
          )}
        </label>
        <Button
          size="sm"
          variant="secondary"
          icon={<FileUp size={13} strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => picker.current?.click()}
        >
          {fileLabel}
        </Button>
      </span>
      <input
        ref={picker}
        type="file"
        accept={accept}
        hidden
        onChange={({ target }) => {
          const file = target.files?.[0];
          target.value = '';
          take(file);
        }}
      />
      <TextArea
        {...area}
        id={id}
        required={required}
        isInvalid={note !== undefined}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
        value={value}
        onChange={({ target }) => onChange(target.value)}
        aria-describedby={`${id}-note`}
      />
      {note === undefined ? (
        <FieldHelp id={`${id}-note`}>{help}</FieldHelp>
      ) : (
        <FieldError id={`${id}-note`} role="alert">
          <span className="wrap-anywhere whitespace-pre-line">{note}</span>
        </FieldError>
      )}
    </div>
  );
}
