import { useEffect, useId } from 'react';
import { Spinner } from '../../kit/Spinner.tsx';
import { MonacoEditor } from './MonacoEditor.tsx';
import { PlainEditor } from './PlainEditor.tsx';
import { useEditorLibrary } from './use-editor-library.ts';
import type { YamlEditorProps } from './editor-props.ts';

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
