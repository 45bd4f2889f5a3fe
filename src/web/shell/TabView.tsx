import { memo, useMemo } from 'react';
import { splitHref } from '../../registry/path.ts';
import { useWorkspace } from '../workspace/port.ts';
import { useCell } from '../core/state/state.ts';
import { ClusterScope } from './ClusterScope.tsx';
import { tabById } from '../workspace/layout.ts';
import { RoutedScreen } from './RoutedScreen.tsx';
import { ViewContext } from '../workspace/view.ts';

interface TabViewProps {
  readonly tab: string;
  readonly isVisible: boolean;
  readonly isFocused: boolean;
}

/** The screen of one tab, wherever the tab leads. It stays mounted while hidden. */
export const TabView = memo(function TabView({ tab, isVisible, isFocused }: TabViewProps) {
  const { workspace } = useWorkspace();
  const href = useCell(workspace.state, ({ layout }) => tabById(layout, tab)?.href) ?? '/';
  const view = useMemo(() => ({ tab, isVisible, isFocused }), [tab, isVisible, isFocused]);
  return (
    <ViewContext value={view}>
      <div
        // The tab shows the focus: a ring around the tile would be beside that of a row.
        className="flex min-h-0 min-w-0 flex-1 flex-col focus-visible:outline-none"
        id={`view-${tab}`}
        role="tabpanel"
        aria-labelledby={`tab-${tab}`}
        hidden={!isVisible}
        tabIndex={-1}
      >
        <ClusterScope tab={tab} href={href}>
          <RoutedScreen pathname={splitHref(href).pathname} />
        </ClusterScope>
      </div>
    </ViewContext>
  );
});
