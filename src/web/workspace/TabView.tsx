import { type AnyRoute, RouterProvider } from '@tanstack/react-router';
import { memo, useEffect, useMemo } from 'react';
import { useApp } from '../app/context.ts';
import { useCell } from '../state/state.ts';
import { ClusterScope } from './ClusterScope.tsx';
import { tabById } from './layout.ts';
import { createViewRouter } from './router.tsx';
import { ViewContext } from './view.ts';
import { createViewHistory } from './view-history.ts';

interface TabViewProps {
  readonly tab: string;
  readonly routeTree: AnyRoute;
  readonly isVisible: boolean;
  readonly isFocused: boolean;
}

/** The screen of one tab, with a router of its own. It stays mounted while hidden. */
export const TabView = memo(function TabView({ tab, routeTree, isVisible, isFocused }: TabViewProps) {
  const { workspace } = useApp();
  const [history, router] = useMemo(() => {
    const hrefOf = () => workspace.hrefOf(tab);
    const made = createViewHistory(workspace, tab, hrefOf, workspace.rules.keyOf);
    return [made, createViewRouter(routeTree, made)] as const;
  }, [workspace, tab, routeTree]);

  const href = useCell(workspace.state, ({ layout }) => tabById(layout, tab)?.href);
  useEffect(() => {
    if (href !== undefined && history.location.href !== href) history.notify({ type: 'REPLACE' });
  }, [history, href]);

  const view = useMemo(() => ({ tab, isVisible, isFocused }), [tab, isVisible, isFocused]);
  return (
    <ViewContext value={view}>
      <div
        className="view inset"
        id={`view-${tab}`}
        role="tabpanel"
        aria-labelledby={`tab-${tab}`}
        hidden={!isVisible}
        tabIndex={-1}
      >
        <ClusterScope tab={tab} href={href ?? '/'}>
          <RouterProvider router={router} />
        </ClusterScope>
      </div>
    </ViewContext>
  );
});
