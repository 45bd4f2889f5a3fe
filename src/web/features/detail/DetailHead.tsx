import { Ellipsis } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { ObjectView } from '../../../contract/live.ts';
import { formatAge } from '../../../kube/age.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { ActionButton } from '../actions/ActionButton.tsx';
import { Badge } from '../../kit/Badge.tsx';
import { type MenuPlace, placeBelow } from '../../kit/menu-place.ts';
import { kindById } from '../../core/kinds/declared.ts';
import { IconButton } from '../../kit/Button.tsx';
import { Icon } from '../../kit/icons.tsx';
import { StatusText } from '../../kit/marks.tsx';
import { statusOf } from '../../data/rows/tones.ts';
import { HeadBar } from '../../frame/HeadBar.tsx';
import { ObjectLink } from '../../frame/ObjectLink.tsx';
import { lazyPart } from '../../kit/lazy-part.ts';
import { ownersOf } from './related.ts';

const ActionMenu = lazyPart(async () => (await import('../actions/ActionMenu.tsx')).ActionMenu);

interface DetailHeadProps {
  readonly kind: AnyKind;
  readonly self: ObjectRef;
  readonly view: ObjectView;
  /** The server's clock, ms. */
  readonly now: number;
}

/** Characters of a name that has room beside labelled buttons in a tile of usual width. */
const roomy = 18;

/** Whether objects of a kind belong to no namespace. */
export const isClusterKind = (id: string) => kindById(id)?.scope === 'Cluster';

/** Name, status, where it is and what can be done with it. */
export function DetailHead({ kind, self, view, now }: DetailHeadProps) {
  const [menu, setMenu] = useState<MenuPlace | undefined>(undefined);
  const object = view.object as KubeObject;
  const status = view.status === null ? undefined : statusOf(view.status);
  const created = Date.parse(object.metadata?.creationTimestamp ?? '');
  const [owner] = ownersOf(self.cluster, object, isClusterKind);
  const prominent = kind.actions.filter(
    ({ id, prominent: isProminent }) => isProminent === true && view.actions.some((one) => one.id === id),
  );
  const namespace = self.namespace;
  return (
    <HeadBar
      icon={<Icon name={kind.icon} size={16} />}
      title={self.name}
      isLong={self.name.length > roomy}
      actions={
        <>
          {prominent.map((action) => (
            <ActionButton
              key={action.id}
              action={action}
              refs={[self]}
              state={view.actions.find(({ id }) => id === action.id)}
            />
          ))}
          {kind.actions.length > 0 && (
            <IconButton
              label="More actions"
              variant="secondary"
              size="sm"
              aria-haspopup="menu"
              aria-expanded={menu !== undefined}
              onClick={(event) => setMenu(placeBelow(event.currentTarget))}
            >
              <Ellipsis size={14} strokeWidth={1.75} aria-hidden="true" />
            </IconButton>
          )}
        </>
      }
      about={
        <>
          {status !== undefined && (
            <Badge tone={status.tone}>
              <StatusText {...status} />
            </Badge>
          )}
          <span>
            {kind.kind}
            {namespace !== undefined && (
              <>
                {' in '}
                <ObjectLink to={{ cluster: self.cluster, kind: 'namespace', name: namespace }}>
                  {namespace}
                </ObjectLink>
              </>
            )}
            {owner !== undefined && (
              <>
                , owned by {owner.kind} <ObjectLink to={owner.ref}>{owner.name}</ObjectLink>
              </>
            )}
            {!Number.isNaN(created) && `, ${formatAge((now - created) / 1000)} old`}
          </span>
        </>
      }
    >
      {menu !== undefined && (
        <Suspense>
          <ActionMenu place={menu} refs={[self]} onClose={() => setMenu(undefined)} />
        </Suspense>
      )}
    </HeadBar>
  );
}
