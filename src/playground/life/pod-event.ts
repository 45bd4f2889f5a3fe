import type { Obj } from '../kit/values.ts';
import { at, str } from '../kit/values.ts';
import type { Life } from './engine.ts';
import { report } from './write.ts';

/** Reports an event of the kubelet about a pod, or about one of its containers (named, in `field`). */
export function reportPodEvent(
  pod: Obj,
  life: Life,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
  container?: string,
  field = 'containers',
): void {
  report(life.world, pod, {
    type,
    reason,
    message,
    component: 'kubelet',
    host: str(at(pod, 'spec', 'nodeName')),
    ...(container === undefined ? {} : { fieldPath: `spec.${field}{${container}}` }),
  });
}
