import { useImperativeHandle, useRef } from 'react';
import { EditorNote } from './EditorNote.tsx';
import type { YamlEditorProps } from './editor-props.ts';

interface PlainEditorProps extends YamlEditorProps {
  /** Why there is no more than this; nothing where that is as it should be. */
  readonly note: string | undefined;
  readonly noteId: string;
}

/** A text field: all that is needed to write YAML. */
export function PlainEditor({
  text,
  onChange,
  label,
  placeholder,
  height,
  handle,
  note,
  noteId,
}: PlainEditorProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(
    handle,
    () => ({
      goTo: (line, column) => {
        const before = (field.current?.value ?? '').split('\n').slice(0, line - 1);
        const at = before.reduce((sum, one) => sum + one.length + 1, column - 1);
        field.current?.focus();
        field.current?.setSelectionRange(at, at);
      },
      type: (text) => {
        field.current?.focus();
        // The one way to write into a field as typing does, with its events and what it can undo.
        if (text !== '') document.execCommand('insertText', false, text);
      },
    }),
    [],
  );
  return (
    <>
      <textarea
        ref={field}
        className="relative min-h-0 w-full flex-auto resize-none overflow-auto border-0 bg-surface px-3 py-2 font-mono text-(length:--text-sm) leading-4.5 whitespace-pre [tab-size:2] focus-visible:-outline-offset-2"
        style={{ height }}
        aria-label={label}
        aria-describedby={note === undefined ? undefined : noteId}
        placeholder={placeholder}
        value={text}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        onChange={({ target }) => onChange(target.value)}
      />
      {note !== undefined && (
        <EditorNote id={noteId} role="status">
          {note}
        </EditorNote>
      )}
    </>
  );
}
