import type { JoinedValues } from '../../../contract/live.ts';
import { coresText, formatBytes } from '../../../kube/format-quantity.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { kindNameOf } from '../../core/kinds/names.ts';
import { Fact } from '../../kit/FactList.tsx';
import { ObjectLink } from '../../frame/ObjectLink.tsx';

interface JoinedProps {
  readonly joined: JoinedValues;
  readonly self: ObjectRef;
}

/** Values that belong to an object but are stored elsewhere: its autoscaler, its usage. */
export function Joined({ joined: { scaledBy, usage }, self }: JoinedProps) {
  return (
    <>
      {scaledBy !== undefined && scaledBy !== null && (
        <Fact name="Scaled by">
          {scaledBy.kind} <ObjectLink to={refOf(scaledBy, self)}>{scaledBy.name}</ObjectLink>, {scaledBy.min}{' '}
          to {scaledBy.max}
        </Fact>
      )}
      {usage?.status === 'live' && self.namespace !== undefined && usage.cpu !== null && (
        <Fact name="Used now">
          {coresText(usage.cpu)}, {formatBytes(usage.memory ?? 0)} memory
        </Fact>
      )}
    </>
  );
}

function refOf({ kind, name }: { readonly kind: string; readonly name: string }, self: ObjectRef) {
  const apiVersion = kind === 'HorizontalPodAutoscaler' ? 'autoscaling/v2' : 'keda.sh/v1alpha1';
  const id = kindNameOf(apiVersion, kind);
  return id === undefined ? undefined : { ...self, kind: id, name };
}
