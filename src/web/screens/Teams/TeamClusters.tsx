import { useQuery } from '@tanstack/react-query';
import { ListFilter, Lock, Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { Team, TeamCluster } from '../../../contract/teams.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { namespacesText } from '../../data/restriction.ts';
import { Button, IconButton } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Flag } from '../../kit/marks.tsx';
import { PlaceLink } from '../../kit/Link.tsx';
import { sectionLook } from '../../kit/Section.tsx';
import { useChange } from '../use-change.ts';
import { GrantDialog } from './GrantDialog.tsx';
import { NamespacesDialog } from './NamespacesDialog.tsx';

interface TeamClustersProps {
  readonly team: Team;
  readonly isOwner: boolean;
  /** Whether the clusters to grant are offered. */
  readonly isGranting: boolean;
  readonly onGranting: (isGranting: boolean) => void;
}

/** What a team reaches, as chips; Owners grant clusters and take them away. */
export function TeamClusters({ team, isOwner, isGranting, onGranting }: TeamClustersProps) {
  const { registry, services } = useCommands();
  const { api, queries } = useData();
  const clusters = useQuery(queries.teamClusters(team.id));
  const known = useQuery(queries.clusters).data;
  const change = useChange();
  const params = { teamId: team.id };
  const [restricting, setRestricting] = useState<TeamCluster | undefined>(undefined);
  const grantAgain = ({ id, namespaces }: TeamCluster) =>
    change.make(`grant ${id}`, () =>
      api.addTeamCluster({
        params,
        // A grant of the whole cluster widens none that another Owner made meanwhile.
        body: { clusterId: String(id), ...(namespaces === null ? {} : { namespaces }) },
      }),
    );
  const remove = async (cluster: TeamCluster) => {
    const { id, name } = cluster;
    const made = await change.make(`remove ${id}`, () =>
      api.removeTeamCluster({ params: { ...params, clusterId: id } }),
    );
    if (!made) return;
    services.toast.success(`${team.name} no longer reaches ${name}`, {
      actions: [{ label: 'Grant again', run: () => void grantAgain(cluster) }],
    });
  };
  return (
    <section className={sectionLook} aria-labelledby="team-clusters">
      <div className="mb-1.5 flex min-h-control-md min-w-0 items-center gap-2">
        <h3 id="team-clusters" className="text-xs font-semibold">
          Clusters
        </h3>
        <span className="text-xs text-text-3">what this team can reach</span>
        <span className="min-w-0 flex-1" />
        {isOwner && (
          <Button
            variant="transparent"
            icon={<Plus size={14} strokeWidth={1.75} aria-hidden="true" />}
            aria-haspopup="dialog"
            aria-busy={change.busy !== undefined || undefined}
            onClick={() => onGranting(true)}
          >
            Grant clusters…
          </Button>
        )}
      </div>
      <ErrorAlert
        title="Could not load the clusters of this team."
        error={clusters.error}
        onRetry={() => void clusters.refetch()}
        isRetrying={clusters.isFetching}
      />
      {clusters.data?.length === 0 && (
        <p className="text-text-2">
          This team has no access to a cluster yet.{' '}
          {isOwner ? 'Grant access to one, and the members see it at once.' : 'An Owner can grant access.'}
        </p>
      )}
      <ul className="flex min-w-0 flex-wrap gap-1.5">
        {clusters.data?.map((cluster) => (
          <li
            key={cluster.id}
            className="flex min-h-7 max-w-full min-w-0 items-center gap-1.5 rounded-sm border border-border bg-raised pr-0.5 pl-2 font-medium narrow:min-h-9"
          >
            <Flag colour={cluster.colour} />
            <PlaceLink
              className="min-w-0 truncate pr-1 text-text underline-offset-2 hover:underline"
              href={registry.href('cluster.details', { clusterId: String(cluster.id) })}
            >
              {cluster.name}
            </PlaceLink>
            {known?.find(({ id }) => id === cluster.id)?.isProtected === true && (
              <Lock className="mr-1" size={11} strokeWidth={1.75} aria-label="protected" />
            )}
            {cluster.namespaces !== null && (
              <span className="min-w-0 truncate pr-1 text-xs font-normal text-text-2">
                {namespacesText(cluster.namespaces)}
              </span>
            )}
            {isOwner && (
              <>
                <IconButton
                  size="sm"
                  label={`Namespaces of ${cluster.name}`}
                  onClick={() => setRestricting(cluster)}
                >
                  <ListFilter size={13} strokeWidth={1.75} aria-hidden="true" />
                </IconButton>
                <IconButton
                  size="sm"
                  label={`Take ${cluster.name} away`}
                  onClick={() => void remove(cluster)}
                >
                  <X size={13} strokeWidth={1.75} aria-hidden="true" />
                </IconButton>
              </>
            )}
          </li>
        ))}
      </ul>
      {isGranting && clusters.data !== undefined && (
        <GrantDialog team={team} taken={clusters.data} onClose={() => onGranting(false)} />
      )}
      {restricting !== undefined && (
        <NamespacesDialog team={team} cluster={restricting} onClose={() => setRestricting(undefined)} />
      )}
    </section>
  );
}
