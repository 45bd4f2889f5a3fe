import { createContext, useCallback, useContext } from 'react';
import { splitHref } from '../../registry/path.ts';
import { useWorkspace } from './port.ts';
import { useCell } from '../core/state/state.ts';
import { tabById } from './layout.ts';
import { parseSearch, type Search, stringifySearch } from './search.ts';

/** The view a component stands in. */
export interface View {
  /** Id of its tab; `bare` on a screen without chrome. */
  readonly tab: string;
  /** Whether it is on screen, not in a background tab. */
  readonly isVisible: boolean;
  /** Whether it has the keys. */
  readonly isFocused: boolean;
}

export const ViewContext = createContext<View>({ tab: 'bare', isVisible: true, isFocused: true });

/** The view around this component. */
export const useView = (): View => useContext(ViewContext);

/** The tab's search and how to change parts of it; an undefined value removes a part. */
export function useViewSearch(): readonly [
  Search,
  (change: Readonly<Record<string, string | undefined>>, mode?: 'push' | 'replace') => void,
] {
  const { workspace } = useWorkspace();
  const { tab } = useView();
  const href = useCell(workspace.state, ({ layout }) => tabById(layout, tab)?.href ?? '/');
  const set = useCallback(
    (change: Readonly<Record<string, string | undefined>>, mode: 'push' | 'replace' = 'replace') => {
      const present = tabById(workspace.state.get().layout, tab)?.href;
      if (present === undefined) return;
      const { pathname, search } = splitHref(present);
      workspace.setHref(tab, pathname + stringifySearch({ ...parseSearch(search), ...change }), mode);
    },
    [workspace, tab],
  );
  return [parseSearch(splitHref(href).search), set];
}
