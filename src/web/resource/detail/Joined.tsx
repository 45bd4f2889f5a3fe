import type { JoinedValues } from '../../../contract/live.ts';
import { coresText, formatBytes } from '../../../kube/format-quantity.ts';
import type { ObjectRef } from '../../../registry/command.ts';
import { kindNameOf } from '../../kinds/names.ts';
import { ObjectLink } from './ObjectLink.tsx';

interface JoinedProps {
  readonly joined: JoinedValues;
  readonly self: ObjectRef;
}

/** What belongs to an object but stands elsewhere: the autoscaler of its count, its usage. */
export function Joined({ joined: { scaledBy, usage }, self }: JoinedProps) {
  return (
    <>
      {scaledBy !== undefined && scaledBy !== null && (
        <div className="kv-line">
          <dt>Scaled by</dt>
          <dd>
            {scaledBy.kind} <ObjectLink to={refOf(scaledBy, self)}>{scaledBy.name}</ObjectLink>
            <span className="sec">
              , {scaledBy.min} to {scaledBy.max}
            </span>
          </dd>
        </div>
      )}
      {usage?.status === 'live' && self.namespace !== undefined && usage.cpu !== null && (
        <div className="kv-line">
          <dt>Used now</dt>
          <dd>
            {coresText(usage.cpu)}, {formatBytes(usage.memory ?? 0)} memory
          </dd>
        </div>
      )}
    </>
  );
}

function refOf({ kind, name }: { readonly kind: string; readonly name: string }, self: ObjectRef) {
  const apiVersion = kind === 'HorizontalPodAutoscaler' ? 'autoscaling/v2' : 'keda.sh/v1alpha1';
  const id = kindNameOf(apiVersion, kind);
  return id === undefined ? undefined : { ...self, kind: id, name };
}
