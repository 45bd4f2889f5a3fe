/** Something to point at in the text. */
export interface EditorFault {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** What an editor of YAML is given. */
export interface YamlEditorProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly label: string;
  readonly placeholder?: string;
  /** Pixels; fills what is around it without. */
  readonly height?: number;
  readonly fault?: EditorFault;
}

/** Edits YAML. */
export function YamlEditor({ text, onChange, label, placeholder, height }: YamlEditorProps) {
  return (
    <textarea
      className="code plain-editor"
      aria-label={label}
      placeholder={placeholder}
      value={text}
      spellCheck={false}
      style={{ height }}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
