import { type TextareaHTMLAttributes, useId } from 'react';
import { Field, type FieldText, noteOf } from './fields.tsx';
import { TextArea } from './input.tsx';

interface TextAreaFieldProps extends FieldText, TextareaHTMLAttributes<HTMLTextAreaElement> {}

/** Labelled lines of text. */
export function TextAreaField({ label, error, help, ...area }: TextAreaFieldProps) {
  const id = useId();
  return (
    <Field id={id} label={label} required={area.required} error={error} help={help}>
      <TextArea
        {...area}
        id={id}
        isInvalid={error !== undefined}
        aria-describedby={noteOf(id, error, help)}
      />
    </Field>
  );
}
