import { formatAge } from '../../../kube/age.ts';
import { useCommands } from '../../core/commands.ts';
import { restrictionText } from '../../data/restriction.ts';
import { Badge } from '../../kit/Badge.tsx';
import { Card, CardCell, CardTable, cardRow } from '../../kit/Card.tsx';
import { cardAside } from '../../kit/card.ts';
import { useWarmUp } from '../../data/use-warm-up.ts';
import { PlaceLink } from '../../kit/Link.tsx';
import { Flag, StatusText } from '../../kit/marks.tsx';
import { figuresAge, type FleetMember, fleetHealth, nodesText } from './fleet.ts';
import { Trend, trendOf, trendText } from './Trend.tsx';

interface FleetCardProps {
  readonly members: readonly FleetMember[];
  /** The server's clock, ms. */
  readonly now: number;
}

/** Hidden where the card is narrower than these columns need. */
const roomy = '@max-[48rem]:hidden';

/** Whether a cluster shows its warnings over time: figures have none. */
const hasTrend = ({ isCounted }: FleetMember): boolean => isCounted !== true;

/** Every cluster with how it does, worst first. */
export function FleetCard({ members, now }: FleetCardProps) {
  return (
    <Card title="Clusters" beside={<span className={cardAside}>worst first</span>}>
      <CardTable
        label="Clusters"
        columns={[
          { label: 'Name' },
          { label: 'Health' },
          { label: 'Version', className: roomy },
          { label: 'Nodes', className: roomy },
          ...(members.some(hasTrend) ? [{ label: 'Warnings, last hour', className: roomy }] : []),
          { label: 'Reached', isNumber: true, className: roomy },
        ]}
      >
        {members.map((member) => (
          <FleetRow key={member.cluster.id} member={member} now={now} />
        ))}
      </CardTable>
    </Card>
  );
}

function FleetRow({ member, now }: { readonly member: FleetMember; readonly now: number }) {
  const { registry } = useCommands();
  const { cluster, dashboard } = member;
  const warming = useWarmUp(cluster, member.isCounted);
  const health = fleetHealth(member);
  const nodes = nodesText(member);
  const age = figuresAge(member, now);
  const { state } = cluster;
  const isAway = state.status === 'unreachable' || state.status === 'forbidden';
  const restriction = restrictionText(cluster.namespaces);
  const about = isAway && state.message !== undefined ? state.message : (restriction ?? cluster.description);
  return (
    <tr className={cardRow}>
      <CardCell isMiddle className="w-full max-w-0">
        <span className="flex min-w-0 items-center gap-2 narrow:min-h-row-touch">
          <Flag colour={cluster.colour} size={14} />
          <span className="flex min-w-0 flex-col leading-4">
            <span className="flex min-w-0 items-center gap-1.5">
              <PlaceLink
                {...warming}
                className="relative max-w-fit truncate -outline-offset-1 font-medium text-text no-underline hover:underline"
                href={registry.href('cluster.details', { clusterId: String(cluster.id) })}
              >
                {cluster.name}
              </PlaceLink>
              {cluster.environment !== undefined && <Badge>{cluster.environment}</Badge>}
            </span>
            {about !== '' && (
              <span className="truncate text-xs text-text-3" title={about}>
                {about}
              </span>
            )}
            {factsOf(member, now).map((fact) => (
              <span key={fact} className="hidden text-xs whitespace-normal text-text-2 @max-[48rem]:block">
                {fact}
              </span>
            ))}
          </span>
        </span>
      </CardCell>
      <CardCell isMiddle>
        <StatusText tone={health.tone} label={health.text} />
        {age !== undefined && <span className="block text-xs text-text-3">{age}</span>}
      </CardCell>
      <CardCell isMiddle className={`text-text-2 ${roomy}`}>
        {state.version ?? '–'}
      </CardCell>
      <CardCell isMiddle className={roomy}>
        {nodes === undefined ? (
          <span className="text-text-3">–</span>
        ) : (
          <span className={nodes.tone === 'bad' ? 'font-semibold text-bad-fg' : 'text-text-2'}>
            {nodes.text}
          </span>
        )}
      </CardCell>
      {hasTrend(member) && (
        <CardCell isMiddle className={roomy}>
          {dashboard?.eventMinutes == null ? (
            <span className="text-text-3">–</span>
          ) : (
            <Trend minutes={dashboard.eventMinutes} now={now} />
          )}
        </CardCell>
      )}
      <CardCell isNumber isMiddle className={`text-text-2 ${roomy}`}>
        {state.reachedAt === undefined ? '–' : `${ageOf(state.reachedAt, now)} ago`}
      </CardCell>
    </tr>
  );
}

/** What the columns say that a narrow card has no room for, in lines. */
function factsOf({ cluster: { state }, dashboard, figures }: FleetMember, now: number): readonly string[] {
  const facts = [
    state.version,
    nodesText({ dashboard, figures })?.text,
    state.reachedAt === undefined ? undefined : `${ageOf(state.reachedAt, now)} ago`,
  ];
  const trend = dashboard?.eventMinutes == null ? '' : trendText(trendOf(dashboard.eventMinutes, now));
  return [facts.filter((fact) => fact !== undefined).join(' · '), trend].filter((line) => line !== '');
}

/** How long ago a cluster answered; a clock that is behind makes it no negative time. */
const ageOf = (reachedAt: string, now: number) => formatAge(Math.max(0, now - Date.parse(reachedAt)) / 1000);
