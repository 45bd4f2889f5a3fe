import type { Cluster } from '../../../contract/clusters.ts';
import { Flag } from '../../kit/marks.tsx';
import type { Refs } from './acting.ts';

/** Names shown one by one. */
const maxNames = 8;

/** The objects that an action is about. */
export interface SubjectBoxProps {
  readonly refs: Refs;
  readonly cluster: Cluster | undefined;
}

/** The objects that an action is about: cluster, namespace and name of each. */
export function SubjectBox({ refs, cluster }: SubjectBoxProps) {
  return (
    <ul className="max-h-48 overflow-auto rounded-sm border border-border bg-raised px-2.5 py-2">
      {refs.slice(0, maxNames).map(({ kind, namespace, name }) => (
        <li key={`${kind} ${namespace ?? ''} ${name}`} className="flex min-w-0 items-start gap-1.5">
          {cluster !== undefined && <Flag colour={cluster.colour} className="mt-0.75" />}
          {/* Where it is stands above a name that has no room beside it: nobody confirms half a place. */}
          <span className="flex min-w-0 flex-wrap gap-x-1">
            <span className="wrap-anywhere">
              {cluster?.name} / {namespace !== undefined && `${namespace} / `}
            </span>
            <b className="max-w-full min-w-0 font-semibold wrap-anywhere">{name}</b>
          </span>
        </li>
      ))}
      {refs.length > maxNames && <li className="text-text-2">and {refs.length - maxNames} more</li>}
    </ul>
  );
}
