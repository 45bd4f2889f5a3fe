import { useEffect, useState } from 'react';
import { useCommands } from '../../core/commands.ts';
import type { createEditor } from './monaco/create-editor.ts';

/** How texts are edited in this browser. */
export type EditorLibrary =
  | { readonly type: 'loading' }
  | { readonly type: 'ready'; readonly create: typeof createEditor }
  | { readonly type: 'plain'; readonly reason: string | undefined };

const load = () => import('./monaco/create-editor.ts');

/** Begins to load the editor before it is shown. A failure is told where it is shown. */
export function prefetchEditor(): void {
  if (!isTouchOnly()) load().catch(() => {});
}

/** The editor's library does not work with touch alone (its makers say so): a field of the browser's own does. */
function isTouchOnly(): boolean {
  return !matchMedia('(any-pointer: fine)').matches && matchMedia('(any-pointer: coarse)').matches;
}

/** The editor, once it is loaded; it comes with the first text that is edited, and never with one that is read. */
export function useEditorLibrary(): EditorLibrary {
  const { log } = useCommands().services;
  const [library, setLibrary] = useState<EditorLibrary>(() =>
    isTouchOnly() ? { type: 'plain', reason: undefined } : { type: 'loading' },
  );
  const isLoading = library.type === 'loading';
  useEffect(() => {
    if (!isLoading) return undefined;
    let isGone = false;
    load().then(
      ({ createEditor }) => {
        if (!isGone) setLibrary({ type: 'ready', create: createEditor });
      },
      (error: unknown) => {
        log('The editor could not be loaded', error);
        if (!isGone)
          setLibrary({
            type: 'plain',
            reason:
              'The editor could not be loaded: this is a plain text field. Reload the page to try again; drafts are kept.',
          });
      },
    );
    return () => {
      isGone = true;
    };
  }, [isLoading, log]);
  return library;
}
