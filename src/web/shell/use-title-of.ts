import { useQuery } from '@tanstack/react-query';
import { useCommands } from '../core/commands.ts';
import { useCell } from '../core/state/state.ts';
import { useData } from '../data/port.ts';
import { isAdmin } from '../data/session.ts';
import { allTabs } from '../workspace/layout.ts';
import { useWorkspace } from '../workspace/port.ts';
import { titleOf } from '../workspace/titles.ts';

/** Titles of addresses. Those of a team and of a person have its name, which is loaded while a tab shows one. */
export function useTitleOf(): (href: string) => string {
  const { registry } = useCommands();
  const { kinds, queries } = useData();
  const { workspace } = useWorkspace();
  useCell(kinds.learnt);
  // As a text, which changes only with what the tabs show.
  const shown = useCell(workspace.state, ({ layout }) =>
    [...new Set(allTabs(layout).map(({ href }) => registry.match(href)?.command.named))].join(' '),
  );
  const user = useQuery(queries.session).data;
  const teams = useQuery({ ...queries.teams, enabled: shown.includes('team') }).data;
  // The people of the company are for Owners.
  const isOwner = user !== undefined && user !== null && isAdmin(user);
  const members = useQuery({ ...queries.members, enabled: isOwner && shown.includes('member') }).data;
  const names = {
    team: (id: string) => teams?.find((one) => String(one.id) === id)?.name,
    member: (id: string) => members?.find((one) => String(one.userId) === id)?.name,
  };
  return (href) => titleOf({ registry, kinds, names }, href);
}
