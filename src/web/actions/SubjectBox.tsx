import type { Cluster } from '../../contract/clusters.ts';
import { Flag } from '../ui/marks.tsx';
import type { Refs } from './acting.ts';

/** Names shown one by one. */
const most = 8;

/** What an action is about. */
export interface SubjectBoxProps {
  readonly refs: Refs;
  readonly cluster: Cluster | undefined;
}

/** What an action is about: cluster, namespace and name of each object. */
export function SubjectBox({ refs, cluster }: SubjectBoxProps) {
  return (
    <ul className="subject names">
      {refs.slice(0, most).map(({ kind, namespace, name }) => (
        <li key={`${kind} ${namespace ?? ''} ${name}`} className="row">
          {cluster !== undefined && <Flag colour={cluster.colour} />}
          <span className="subject-line">
            <span className="break">
              {cluster?.name} / {namespace !== undefined && `${namespace} / `}
            </span>
            <b className="semi break">{name}</b>
          </span>
        </li>
      ))}
      {refs.length > most && <li className="sec">and {refs.length - most} more</li>}
    </ul>
  );
}
