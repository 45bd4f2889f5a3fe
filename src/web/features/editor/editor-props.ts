import type { JSONSchema } from 'monaco-yaml';
import type { Ref } from 'react';

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
