import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { isMac } from '../keyboard/Keys.tsx';
import type { createEditor, MountedEditor } from './monaco/create-editor.ts';
import type { YamlEditorProps } from './YamlEditor.tsx';

interface MonacoEditorProps extends YamlEditorProps {
  readonly create: typeof createEditor;
  readonly noteId: string;
}

/** What toggles whether Tab leaves. */
const tabKeys = isMac ? '⌃⇧M' : 'Ctrl+M';

/** The editor proper, with a line below it that says what Tab does and how many hints there are. */
export function MonacoEditor({
  text,
  onChange,
  label,
  placeholder,
  faults,
  schema,
  height,
  handle,
  create,
  noteId,
}: MonacoEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<MountedEditor | undefined>(undefined);
  const [hints, setHints] = useState(0);
  const [tabLeaves, setTabLeaves] = useState(false);
  // The editor is made once, with what it was first given.
  const [first] = useState({ text, label, placeholder, noteId });
  const changed = useRef(onChange);
  useLayoutEffect(() => {
    changed.current = onChange;
  });

  useLayoutEffect(() => {
    if (place.current === null) return undefined;
    const made = create(place.current, {
      text: first.text,
      label: first.label,
      placeholder: first.placeholder,
      describedBy: first.noteId,
      onChange: (next) => changed.current(next),
      onHints: setHints,
      onTabLeaves: setTabLeaves,
    });
    editor.current = made;
    return () => {
      editor.current = undefined;
      made.dispose();
    };
  }, [create, first]);
  useImperativeHandle(handle, () => ({ goTo: (line, column) => editor.current?.goTo(line, column) }), []);
  useLayoutEffect(() => editor.current?.setText(text), [text]);
  useEffect(() => editor.current?.setFaults(faults ?? []), [faults]);
  useEffect(() => editor.current?.setSchema(schema), [schema]);

  return (
    <>
      <div className="text-place monaco-place" ref={place} style={{ height }} />
      <p className="editor-note">
        <span id={noteId} role="status">
          {tabLeaves
            ? `Tab leaves the editor; ${tabKeys} lets it indent.`
            : `Tab indents; ${tabKeys} lets it leave.`}
        </span>
        <span className="grow" />
        <span role="status">
          {hints === 0 ? '' : `${hints} ${hints === 1 ? 'hint' : 'hints'}: F8 goes through them`}
        </span>
      </p>
    </>
  );
}
