import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { refKey } from '../../../registry/kinds/refs.ts';
import { lowerFirst } from '../../data/live/freshness.ts';
import { GraphView } from './GraphView.tsx';

interface ObjectGraphProps {
  readonly self: ObjectRef;
  readonly kind: AnyKind;
}

/** The graph of an object on its page; of a namespace, the graph of its contents. */
export function ObjectGraph({ self, kind }: ObjectGraphProps) {
  const clusterId = Number(self.cluster);
  if (kind.graph === 'place') {
    const target = { type: 'graph', clusterId, namespace: self.name } as const;
    return <GraphView key={self.name} target={target} of={self.name} />;
  }
  const { namespace, name } = self;
  const root = refKey({
    apiVersion: kind.group === '' ? kind.version : `${kind.group}/${kind.version}`,
    kind: kind.kind,
    ...(namespace === undefined ? {} : { namespace }),
    name,
  });
  return (
    <GraphView
      key={root}
      target={{ type: 'graph', clusterId, kind: self.kind, namespace, name }}
      root={root}
      of={`${kind.kind} ${name}`}
      refused={{
        what: `View ${lowerFirst(kind.title)}`,
        needs: kind.permissions.view,
        cluster: self.cluster,
        namespace,
      }}
    />
  );
}
