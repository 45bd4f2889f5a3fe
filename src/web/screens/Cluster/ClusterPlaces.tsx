import { plainTitle } from '../../../registry/commands/command.ts';
import { fillPath } from '../../../registry/path.ts';
import { useCommands } from '../../core/commands.ts';
import { ButtonLink } from '../../kit/Button.tsx';
import { Icon } from '../../kit/icons.tsx';

/** Links in the head of a cluster's page, to the routes with the place `cluster-page`. */
export function ClusterPlaces({ clusterId }: { readonly clusterId: number }) {
  const { moment, registry } = useCommands();
  return registry.at('cluster-page', moment.context(), moment.may()).map((command) =>
    command.type === 'route' ? (
      <ButtonLink
        key={command.id}
        variant="secondary"
        size="sm"
        href={fillPath(command.path, { clusterId: String(clusterId) })}
      >
        <Icon name={command.icon} size={13} />
        {plainTitle(command)}
      </ButtonLink>
    ) : null,
  );
}
