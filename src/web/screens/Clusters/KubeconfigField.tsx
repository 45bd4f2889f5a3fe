import { FileUp } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Button } from '../../kit/Button.tsx';
import { FieldError, FieldHelp, fieldLook, labelLook } from '../../kit/fields.tsx';
import { TextArea } from '../../kit/input.tsx';
import { readKubeconfigFile, useDrop } from './use-drop.ts';

interface KubeconfigFieldProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly error: string | undefined;
}

/** Where a kubeconfig goes in: by paste, by drop, or by choosing the file. */
export function KubeconfigField({ value, onChange, error }: KubeconfigFieldProps) {
  const id = useId();
  const picker = useRef<HTMLInputElement>(null);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const drop = useDrop(true, onChange);
  const note = error ?? drop.error ?? failure;
  return (
    <div className={fieldLook}>
      <span className="flex min-w-0 items-center gap-1.5">
        <label htmlFor={id} className={`${labelLook} min-w-0 flex-1`}>
          Kubeconfig
        </label>
        <Button
          size="sm"
          variant="secondary"
          icon={<FileUp size={13} strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => picker.current?.click()}
        >
          Choose a file
        </Button>
      </span>
      <input
        ref={picker}
        type="file"
        hidden
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file === undefined) return;
          readKubeconfigFile(file).then(
            (text) => {
              setFailure(undefined);
              onChange(text);
            },
            (reason: unknown) =>
              setFailure(reason instanceof Error ? reason.message : 'The file could not be read.'),
          );
        }}
      />
      <TextArea
        id={id}
        isOver={drop.isOver}
        isInvalid={note !== undefined}
        rows={8}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
        placeholder="Paste a kubeconfig, or drop the file here"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-describedby={`${id}-note`}
        {...drop.handlers}
      />
      {note === undefined ? (
        <FieldHelp id={`${id}-note`}>It is stored encrypted and never shown again.</FieldHelp>
      ) : (
        <FieldError id={`${id}-note`} role="alert">
          <span className="wrap-anywhere whitespace-pre-line">{note}</span>
        </FieldError>
      )}
    </div>
  );
}
