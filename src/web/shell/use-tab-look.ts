import { useQuery } from '@tanstack/react-query';
import type { Cluster } from '../../contract/clusters.ts';
import { useCommands } from '../core/commands.ts';
import { useCell } from '../core/state/state.ts';
import { useData } from '../data/port.ts';
import { allTabs } from '../workspace/layout.ts';
import { clusterOf } from '../workspace/place.ts';
import { useWorkspace } from '../workspace/port.ts';
import { areOfSeveral, tabName } from '../workspace/tab-marks.ts';
import { useKeptEdits } from './use-kept-edits.ts';
import type { Tab } from '../workspace/tree.ts';
import { useTitleOf } from './use-title-of.ts';

/** What a tab shows of itself. */
export interface TabLook {
  readonly title: string;
  /** Its cluster, where the tabs of the workspace are of several. */
  readonly cluster: Pick<Cluster, 'name' | 'colour'> | undefined;
  readonly isUnsaved: boolean;
  /** The reason in a word why its view has nothing left to show: `deleted`. */
  readonly ended: string | undefined;
  /** Title and marks in words. */
  readonly name: string;
}

/** Tells of each tab what it shows of itself. */
export function useTabLook(): (tab: Tab) => TabLook {
  const { registry } = useCommands();
  const { queries } = useData();
  const titleOf = useTitleOf();
  const { workspace, held, ended } = useWorkspace();
  const holding = useCell(held);
  const endedTabs = useCell(ended);
  const isKept = useKeptEdits();
  const clusters = useQuery(queries.clusters).data;
  const isSeveral = useCell(workspace.state, ({ layout }) =>
    areOfSeveral(allTabs(layout).map(({ href }) => clusterOf(registry, href))),
  );
  return ({ id, href }) => {
    const title = titleOf(href);
    const own = isSeveral ? clusterOf(registry, href) : undefined;
    const cluster = own === undefined ? undefined : clusters?.find((one) => one.id === own);
    const marks = {
      isUnsaved: holding.get(id)?.isUnsaved === true || isKept(href),
      ended: endedTabs.get(id),
    };
    return { title, cluster, ...marks, name: tabName(title, { ...marks, cluster: cluster?.name }) };
  };
}
