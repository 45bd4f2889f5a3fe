import { useQuery } from '@tanstack/react-query';
import type { RouteCommand } from '../../registry/command.ts';
import { useCommands } from '../core/commands.ts';
import { useCell } from '../core/state/state.ts';
import { useData } from '../data/port.ts';
import { allTabs } from '../workspace/layout.ts';
import { useWorkspace } from '../workspace/port.ts';
import { titleOf } from '../workspace/titles.ts';

/** Whether a tab shows a team or a person. */
function useIsShown(named: RouteCommand['named']): boolean {
  const { registry } = useCommands();
  const { workspace } = useWorkspace();
  return useCell(workspace.state, ({ layout }) =>
    allTabs(layout).some(({ href }) => registry.match(href)?.command.named === named),
  );
}

/** Titles of addresses. Those of a team and of a person have its name, which is loaded while a tab shows one. */
export function useTitleOf(): (href: string) => string {
  const { registry } = useCommands();
  const { kinds, queries } = useData();
  useCell(kinds.learnt);
  const teams = useQuery({ ...queries.teams, enabled: useIsShown('team') }).data;
  const members = useQuery({ ...queries.members, enabled: useIsShown('member') }).data;
  const names = {
    team: (id: string) => teams?.find((one) => String(one.id) === id)?.name,
    member: (id: string) => members?.find((one) => String(one.userId) === id)?.name,
  };
  return (href) => titleOf({ registry, kinds, names }, href);
}
