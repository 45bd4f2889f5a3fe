import type { Pod } from '../../../kube/core.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { allContainers } from './ContainerSelect.tsx';
import { workloadOf } from './columns.ts';
import { containersIn, containersOf, defaultContainer, type PodContainers } from './containers.ts';
import { LogsView } from './LogsView.tsx';

interface ObjectLogsProps {
  readonly self: ObjectRef;
  readonly kind: AnyKind;
  readonly object: KubeObject;
}

/** An object with a pod template, of its own or for its jobs. */
interface Templated extends KubeObject {
  spec?: {
    template?: { spec?: PodContainers };
    jobTemplate?: { spec?: { template?: { spec?: PodContainers } } };
  };
}

/** The logs of a pod, or of the pods of an object. */
export function ObjectLogs({ self, kind, object }: ObjectLogsProps) {
  const { cluster, namespace = '', name } = self;
  if (kind.logs === 'own') {
    const pod = object as Pod;
    return (
      <LogsView
        cluster={cluster}
        of={{ pods: [{ namespace, name }] }}
        name={name}
        containers={containersOf(pod)}
        usual={defaultContainer(pod)}
        workload={`${namespace}/${workloadOf(pod)}`}
      />
    );
  }
  const { spec } = object as Templated;
  return (
    <LogsView
      cluster={cluster}
      of={{ kind: kind.id, namespace, name }}
      name={name}
      containers={containersIn((spec?.template ?? spec?.jobTemplate?.spec?.template)?.spec)}
      usual={allContainers}
      workload={`${namespace}/${kind.kind}/${name}`}
    />
  );
}
