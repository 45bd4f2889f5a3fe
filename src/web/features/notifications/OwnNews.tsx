import { useEffect } from 'react';
import { useCommands } from '../../core/commands.ts';
import { useKept } from '../../core/state/port.ts';
import { useData } from '../../data/port.ts';
import { activeTab, tilesOf } from '../../workspace/layout.ts';
import { useWorkspace } from '../../workspace/port.ts';
import { kindOfRoute, objectOfRoute } from '../../../registry/commands/kind-commands.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { Registry } from '../../../registry/commands/registry.ts';
import { refIn } from '../actions/acting.ts';
import { useActing } from '../actions/port.ts';
import { showNotice } from './browser-notice.ts';
import { type Ended, lifeOfNews, OwnWork } from './own-work.ts';

/** Whether a page shows an object, or the list of its kind, which has its status. */
function isShownAt(registry: Pick<Registry, 'match'>, href: string, ref: ObjectRef): boolean {
  const match = registry.match(href);
  if (match?.params.clusterId !== ref.cluster || kindOfRoute(match) !== ref.kind) return false;
  const shown = objectOfRoute(match);
  return shown === undefined || (shown.name === ref.name && shown.namespace === ref.namespace);
}

/** Tells how rollouts and drains ended that the person began here and looked away from. */
export function OwnNews() {
  const { services, registry } = useCommands();
  const data = useData();
  const { done } = useActing();
  const { workspace } = useWorkspace();
  const { browserNotices } = useKept();
  useEffect(() => {
    const { toast, objects } = services;
    const tell = ({ ref, title, isGood }: Ended) => {
      const tabs = tilesOf(workspace.state.get().layout).map(activeTab);
      const isSeen = tabs.some(({ href }) => isShownAt(registry, href, ref));
      if (isSeen && !document.hidden) return;
      const clusters = data.queryClient.getQueryData(data.queries.clusters.queryKey);
      const detail = clusters?.find(({ id }) => String(id) === ref.cluster)?.name ?? '';
      const open = () => objects.open(ref);
      const actions = [{ label: 'Open', run: open }];
      toast[isGood ? 'success' : 'warning'](title, { detail, actions, ...lifeOfNews(document.hidden) });
      if (document.hidden && browserNotices.get()) showNotice({ title, body: detail, onClick: open });
    };
    const later = (run: () => void, ms: number) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    };
    const work = new OwnWork({ ...data, later, tell });
    const dispose = done.subscribe(() => {
      const action = done.get();
      if (action === undefined) return;
      for (const { ok, job, ref } of action.outcomes) {
        if (job !== undefined) work.job(Number(action.cluster), job);
        else if (ok && action.rollsOut) work.rollout(refIn(Number(action.cluster), ref));
      }
    });
    return () => {
      dispose();
      work.close();
    };
  }, [services, registry, data, done, workspace, browserNotices]);
  return null;
}
