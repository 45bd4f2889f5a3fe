import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import type { Dashboard } from '../../../contract/dashboard.ts';
import { customPrefix } from '../../../registry/kinds/resource-key.ts';
import { useCommands } from '../../core/commands.ts';
import { CardNote } from '../../kit/Card.tsx';
import { LinkButton, linkLook, PlaceLink } from '../../kit/Link.tsx';
import { useWorkspace } from '../../workspace/port.ts';

interface UnwatchedKindsProps {
  readonly clusterId: number;
  readonly dashboard: Pick<Dashboard, 'unwatched' | 'unwatchedTotal'>;
}

/** The custom kinds whose trouble a dashboard does not see, by name, each leading to its list. */
export function UnwatchedKinds({ clusterId, dashboard }: UnwatchedKindsProps) {
  const { unwatched: kinds, unwatchedTotal: total } = dashboard;
  const { registry } = useCommands();
  const { workspace } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (total === 0) return null;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <CardNote>
      <div className="min-w-0">
        <LinkButton
          className="inline-flex items-center gap-1 text-left"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <Chevron size={12} strokeWidth={2} aria-hidden="true" />
          {total === 1 ? '1 custom kind is not watched here' : `${total} custom kinds are not watched here`}
        </LinkButton>
        {total === 1
          ? ': its list shows the status of its objects.'
          : ': their lists show the status of their objects.'}
        <ul id={id} hidden={!isOpen} className="flex flex-wrap gap-x-3 pt-1">
          {kinds.map((one) => {
            const crdName = one.id.slice(customPrefix.length);
            const href = registry.href('custom.list', { clusterId: String(clusterId), crdName });
            return (
              <li key={one.id} className="flex min-h-6 items-center">
                <PlaceLink className={linkLook} href={workspace.inChosenNamespace(href)} title={crdName}>
                  {one.kind}
                </PlaceLink>
              </li>
            );
          })}
          {total > kinds.length && (
            <li className="flex min-h-6 items-center">and {total - kinds.length} more</li>
          )}
        </ul>
      </div>
    </CardNote>
  );
}
