import { useEffect } from 'react';
import { useWorkspace } from './port.ts';
import { useView } from './view.ts';

/**
 * Marks the tab of the view around this component as one that has nothing left to show, as long as the component is
 * there. Esc closes such a tab.
 * @param why in a word, as `deleted`; undefined while there is something
 */
export function useEnded(why: string | undefined): void {
  const { ended } = useWorkspace();
  const { tab } = useView();
  useEffect(() => {
    if (why === undefined) return undefined;
    ended.update((tabs) => new Map([...tabs, [tab, why]]));
    return () => ended.update((tabs) => new Map([...tabs].filter(([one]) => one !== tab)));
  }, [ended, tab, why]);
}
