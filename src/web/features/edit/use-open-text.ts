import { type RefObject, useCallback, useState } from 'react';
import { useApp } from '../../core/context.ts';
import type { EditorHandle } from '../editor/YamlEditor.tsx';
import { useView } from '../../workspace/view.ts';
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
  const app = useApp();
  const { tab, isVisible, isFocused } = useView();
  const [isOpen, setOpen] = useState(false);
  const onReady = useCallback(() => {
    setOpen(true);
    const typed = takeTypedAhead(app, tab);
    const { menu, dialog } = app.overlays.get();
    // Whoever went elsewhere meanwhile keeps the focus there.
    if (!isVisible || !isFocused || menu > 0 || dialog > 0 || app.palette.get() !== undefined) return;
    editor.current?.goTo(1, 1);
    if (typed !== '') editor.current?.type(typed);
  }, [app, editor, tab, isVisible, isFocused]);
  return { isOpen, onReady };
}
