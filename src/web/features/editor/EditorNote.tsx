import type { HTMLAttributes } from 'react';

/** The line below an editor. */
export function EditorNote(rest: Omit<HTMLAttributes<HTMLParagraphElement>, 'className'>) {
  return (
    <p
      {...rest}
      className="flex flex-none flex-wrap gap-x-3 border-t border-hairline bg-raised px-3 py-0.5 text-xs text-text-3"
      data-part="editor-note"
    />
  );
}
