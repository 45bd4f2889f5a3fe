import './monaco/monaco.css';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { useKept } from '../../core/state/port.ts';
import { useKeyboard } from '../../keyboard/port.ts';
import { capsOf, isMac } from '../../keyboard/Keys.tsx';
import { useCell } from '../../core/state/state.ts';
import { EditorNote } from './EditorNote.tsx';
import type { createEditor, MountedEditor } from './monaco/create-editor.ts';
import type { YamlEditorProps } from './editor-props.ts';

interface MonacoEditorProps extends YamlEditorProps {
  readonly create: typeof createEditor;
  readonly noteId: string;
}

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
  onLeave,
}: MonacoEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<MountedEditor | undefined>(undefined);
  const [hints, setHints] = useState(0);
  const { appearance } = useKept();
  const { keymap } = useKeyboard();
  const tabLeaves = useCell(appearance, (value) => value.tabLeaves === true);
  const keys = useCell(keymap).keysOf('editor.tabLeaves');
  // Cmd+M never gets here.
  const tabKeys = keys.find((one) => !isMac || one !== 'mod+m');
  const named = tabKeys === undefined ? 'a command in the palette' : capsOf(tabKeys).join('+');
  // The editor is made once, with what it was first given.
  const [first] = useState({ text, label, placeholder, noteId, isLeft: onLeave !== undefined });
  const changed = useRef(onChange);
  const left = useRef(onLeave);
  useLayoutEffect(() => {
    changed.current = onChange;
    left.current = onLeave;
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
      onLeave: first.isLeft ? () => left.current?.() : undefined,
    });
    editor.current = made;
    return () => {
      editor.current = undefined;
      made.dispose();
    };
  }, [create, first]);
  useImperativeHandle(
    handle,
    () => ({
      goTo: (line, column) => editor.current?.goTo(line, column),
      type: (typed) => editor.current?.type(typed),
    }),
    [],
  );
  useLayoutEffect(() => editor.current?.setText(text), [text]);
  useEffect(() => editor.current?.setFaults(faults ?? []), [faults]);
  useEffect(() => editor.current?.setSchema(schema), [schema]);
  useEffect(() => editor.current?.setTabLeaves(tabLeaves), [tabLeaves]);

  return (
    <>
      {/* Esc closes its search and its suggestions. */}
      <div
        className="relative min-h-0 flex-auto"
        data-monaco=""
        data-dismissible=""
        ref={place}
        style={{ height }}
      />
      <EditorNote>
        <span id={noteId} role="status">
          {tabLeaves
            ? `Tab leaves the editor; ${named} lets it indent.`
            : `Tab indents; ${named} lets it leave.`}
        </span>
        <span className="min-w-0 flex-1" />
        <span role="status">
          {hints === 0 ? '' : `${hints} ${hints === 1 ? 'hint' : 'hints'}: press F8 to go through them`}
        </span>
      </EditorNote>
    </>
  );
}
