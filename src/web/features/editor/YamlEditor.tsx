import type { JSONSchema } from 'monaco-yaml';
import { type Ref, useEffect, useId } from 'react';
import { Spinner } from '../../kit/Spinner.tsx';
import { MonacoEditor } from './MonacoEditor.tsx';
import { PlainEditor } from './PlainEditor.tsx';
import { useEditorLibrary } from './use-editor-library.ts';

/** Something to point at in the text. */
export interface EditorFault {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Methods of an editor on the page. */
export interface EditorHandle {
  /** Moves the cursor to a place, from 1, and the focus into the editor. */
  goTo(line: number, column: number): void;
  /** Moves the focus into the editor and writes at the cursor, as typing does. */
  type(text: string): void;
}

/** Props of a YAML editor. */
export interface YamlEditorProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly label: string;
  readonly placeholder?: string;
  /** Pixels; fills what is around it without. */
  readonly height?: number;
  readonly faults?: readonly EditorFault[];
  /** The schema that the text is checked against; its findings are hints only. */
  readonly schema?: JSONSchema | undefined;
  readonly handle?: Ref<EditorHandle>;
  /** Called once the editor, or the field in its stead, can be typed in. */
  readonly onReady?: () => void;
  /** Called by Esc while the editor has no use for it. */
  readonly onLeave?: () => void;
}

/** Edits YAML; where the editor cannot be had, in a plain field. */
export function YamlEditor(props: YamlEditorProps) {
  const library = useEditorLibrary();
  const noteId = useId();
  const isReady = library.type !== 'loading';
  const { onReady } = props;
  useEffect(() => {
    if (isReady) onReady?.();
    // oxlint-disable-next-line react/exhaustive-deps -- once: what it does is of the moment the editor is there
  }, [isReady]);
  return (
    // Room around it for the focus: what is inside would paint over it.
    <div
      className="flex size-full min-h-0 flex-col bg-surface p-0.5 has-[[data-monaco]_:focus]:outline-2 has-[[data-monaco]_:focus]:-outline-offset-2 has-[[data-monaco]_:focus]:outline-focus"
      data-part="editor"
    >
      {library.type === 'loading' && (
        <div className="relative min-h-0 flex-auto" style={{ height: props.height }}>
          <Spinner label="Loading the editor…" />
        </div>
      )}
      {library.type === 'ready' && <MonacoEditor {...props} create={library.create} noteId={noteId} />}
      {library.type === 'plain' && <PlainEditor {...props} note={library.reason} noteId={noteId} />}
    </div>
  );
}
