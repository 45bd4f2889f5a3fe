import { plainTitle } from '../../../registry/command.ts';
import { fillPath } from '../../../registry/path.ts';
import { useApp } from '../../app/context.ts';
import { contextOf, mayOf } from '../../app/moment.ts';
import { Icon } from '../../ui/icons.tsx';
import { PlaceLink } from '../../ui/Link.tsx';

/** Links in the head of a cluster's page: whatever routes of the cluster have their place there. */
export function ClusterPlaces({ clusterId }: { readonly clusterId: number }) {
  const app = useApp();
  return app.registry.at('cluster-page', contextOf(app), mayOf(app)).map((command) =>
    command.type === 'route' ? (
      <PlaceLink
        key={command.id}
        className="btn sm b-secondary"
        href={fillPath(command.path, { clusterId: String(clusterId) })}
      >
        <Icon name={command.icon} size={13} />
        {plainTitle(command)}
      </PlaceLink>
    ) : null,
  );
}
