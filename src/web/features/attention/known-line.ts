import type { AttentionLine } from '../../../contract/dashboard.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { DataPort } from '../../data/port.ts';

/** The line of an object on the dashboard of its cluster, as the page knows it. */
export function lineOf(
  { known }: Pick<DataPort, 'known'>,
  { cluster, ...object }: ObjectRef,
): AttentionLine | undefined {
  const clusterId = Number(cluster);
  const dashboards = [{}, { withExcluded: false }, { withExcluded: true }].map(
    (which) => known.get({ type: 'dashboard', clusterId, ...which })?.dashboard,
  );
  const isOwn = ({ on }: AttentionLine) =>
    on.kind === object.kind && on.name === object.name && on.namespace === object.namespace;
  return dashboards.flatMap((one) => one?.attention ?? []).find(isOwn);
}
