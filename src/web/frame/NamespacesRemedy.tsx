import type { ListState } from '../../contract/live.ts';
import { fillPath } from '../../registry/path.ts';
import { useCommands } from '../core/commands.ts';
import { ButtonLink } from '../kit/Button.tsx';

interface NamespacesRemedyProps {
  readonly clusterId: number;
  readonly state: Pick<ListState, 'remedy'> | undefined;
}

/** The way to where an Owner names the namespaces that a credential may read; nothing for others, and where it is no help. */
export function NamespacesRemedy({ clusterId, state }: NamespacesRemedyProps) {
  const { moment, registry } = useCommands();
  if (state?.remedy !== 'namespaces') return null;
  const command = registry
    .at('cluster-page', moment.context(), moment.may())
    .find(({ id }) => id === 'cluster.globalSettings');
  if (command?.type !== 'route') return null;
  return (
    <ButtonLink variant="primary" size="sm" href={fillPath(command.path, { clusterId: String(clusterId) })}>
      Name its namespaces
    </ButtonLink>
  );
}
