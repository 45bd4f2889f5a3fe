import type { Obj } from '../kit/values.ts';
import { at, str } from '../kit/values.ts';
import type { Life } from './engine.ts';
import { report } from './write.ts';

/** Reports what the kubelet of a pod's node says of it, or of one of its containers (`field`: where that stands). */
export function tell(
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
