import { type RefObject, useCallback, useState } from 'react';
import { useCommands } from '../../core/commands.ts';
import type { EditorHandle } from '../editor/editor-props.ts';
import { useWorkspace } from '../../workspace/port.ts';
import { useView } from '../../workspace/view.ts';
import { useTypedAhead } from './port.ts';
import { takeTypedAhead } from './typed-ahead.ts';

/**
 * Opens the text of a view's editor for typing as soon as it can be: the focus goes into it, and what was typed while it
 * was loading is written.
 * @returns whether the editor is there, and what it calls once it is
 */
export function useOpenText(editor: RefObject<EditorHandle | null>): {
  readonly isOpen: boolean;
  readonly onReady: () => void;
} {
  const { workspace } = useWorkspace();
  const { moment } = useCommands();
  const typedAhead = useTypedAhead();
  const { tab, isVisible, isFocused } = useView();
  const [isOpen, setOpen] = useState(false);
  const onReady = useCallback(() => {
    setOpen(true);
    const typed = takeTypedAhead({ typedAhead, workspace }, tab);
    // Whoever went elsewhere meanwhile keeps the focus there.
    if (!isVisible || !isFocused || moment.context().overlay !== 'none') return;
    editor.current?.goTo(1, 1);
    if (typed !== '') editor.current?.type(typed);
  }, [moment, workspace, typedAhead, editor, tab, isVisible, isFocused]);
  return { isOpen, onReady };
}
