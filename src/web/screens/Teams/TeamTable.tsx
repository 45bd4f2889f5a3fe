import type { Team } from '../../../contract/teams.ts';
import { useCommands } from '../../core/commands.ts';
import { cardLook } from '../../kit/card.ts';
import { PlaceLink } from '../../kit/Link.tsx';
import { headCell, tableCell, tableLook, tableRow } from '../../kit/table.ts';
import { roleName } from '../team-role.ts';

interface TeamTableProps {
  readonly teams: readonly Team[];
  /** The team that is shown beside the table, which is narrow then. Given as undefined where none of them is. */
  readonly chosen?: number | undefined;
}

const chosenRow = 'bg-accent-soft shadow-[inset_2px_0_0_var(--color-accent)]';

/** The teams as a table; as a narrow one of names and numbers beside a team. */
export function TeamTable(props: TeamTableProps) {
  const { teams, chosen } = props;
  const { registry } = useCommands();
  const isBeside = 'chosen' in props;
  const hasOwnRole = !isBeside && teams.some(({ ownRole }) => ownRole !== null);
  return (
    <div className={`overflow-hidden ${cardLook}`}>
      <table className={tableLook} aria-label="Teams">
        <thead>
          <tr>
            <th scope="col" className={headCell()}>
              Name
            </th>
            {hasOwnRole && (
              <th scope="col" className={headCell({ className: 'narrow:hidden' })}>
                Your role
              </th>
            )}
            <th scope="col" className={headCell({ isNumber: true })}>
              Members
            </th>
            <th scope="col" className={headCell({ isNumber: true })}>
              Clusters
            </th>
          </tr>
        </thead>
        <tbody>
          {teams.map((team) => (
            <tr key={team.id} className={`${tableRow} ${team.id === chosen ? chosenRow : ''}`}>
              <td className={tableCell}>
                <PlaceLink
                  className="font-medium wrap-anywhere text-text underline-offset-2 hover:underline"
                  href={registry.href('teams.one', { teamId: String(team.id) })}
                  aria-current={team.id === chosen ? 'page' : undefined}
                >
                  {team.name}
                </PlaceLink>
                {!isBeside && team.description !== '' && (
                  <span className="block text-xs wrap-anywhere text-text-3">{team.description}</span>
                )}
              </td>
              {hasOwnRole && (
                <td className={`${tableCell} narrow:hidden`}>
                  {team.ownRole === null ? <span className="text-text-3">–</span> : roleName(team.ownRole)}
                </td>
              )}
              <td className={`${tableCell} text-right`}>{team.memberCount}</td>
              <td className={`${tableCell} text-right`}>{team.clusterCount}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
