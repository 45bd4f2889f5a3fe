import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Cluster } from '../../contract/clusters.ts';
import { hrefOf, plainTitle, type RouteCommand } from '../../registry/commands/command.ts';
import { useCommands } from '../core/commands.ts';
import { useData } from '../data/port.ts';
import { PlaceLink } from '../kit/Link.tsx';
import { sectionLink } from '../kit/section-link.ts';
import { Page } from './Page.tsx';

interface ClusterSettingsPageProps {
  /** The command of the page; its title is the page's. */
  readonly command: RouteCommand;
  readonly clusterId: number;
  /** One line beside the title. */
  readonly about: (cluster: Cluster) => string;
  /** The word in the corner of the status line. */
  readonly mode: string;
  readonly children: ReactNode;
}

/** A page of a cluster's settings, with links to the others where the person may open more than one. */
export function ClusterSettingsPage({ command, clusterId, about, mode, children }: ClusterSettingsPageProps) {
  const { moment, registry } = useCommands();
  const { queries } = useData();
  const cluster = useQuery(queries.clusters).data?.find(({ id }) => id === clusterId);
  const pages = registry
    .at('cluster-settings', { ...moment.context(), shell: 'app', cluster: 'selected' }, moment.may())
    .filter((page) => page.type === 'route');
  return (
    <Page title={plainTitle(command)} about={cluster === undefined ? undefined : about(cluster)} mode={mode}>
      {pages.length > 1 && (
        <nav aria-label="Settings of the cluster" className="flex flex-wrap gap-1">
          {pages.map((page) => (
            <PlaceLink
              key={page.id}
              className={sectionLink}
              href={hrefOf(page, { clusterId: String(clusterId) })}
              aria-current={page.id === command.id ? 'page' : undefined}
            >
              {plainTitle(page)}
            </PlaceLink>
          ))}
        </nav>
      )}
      {children}
    </Page>
  );
}
