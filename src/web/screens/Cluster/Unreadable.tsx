import { Lock } from 'lucide-react';
import type { ListState } from '../../../contract/live.ts';
import { NamespacesRemedy } from '../../frame/NamespacesRemedy.tsx';
import { State } from '../../kit/State.tsx';

interface UnreadableProps {
  readonly cluster: { readonly id: number; readonly name: string };
  /** Of the dashboard, which is `forbidden`. */
  readonly state: ListState;
}

/** In place of a dashboard of which the console's credential may read nothing: the reason and what helps. */
export function Unreadable({ cluster, state }: UnreadableProps) {
  return (
    <State
      place="page"
      icon={<Lock size={22} strokeWidth={1.75} aria-hidden="true" />}
      title={`The console cannot view ${cluster.name}`}
      actions={<NamespacesRemedy clusterId={cluster.id} state={state} />}
    >
      {state.message}
    </State>
  );
}
