import { release } from '../../../../commands/kinds/release.ts';
import type { Release } from '../../../kube/helm.ts';
import type { KindStatus } from '../../../registry/kinds/kind.ts';

/** The status of a revision as that of its release is shown. */
export function releaseTone(status: string): KindStatus {
  const object: Release = { status };
  return release.status?.(object) ?? { tone: 'idle', label: status };
}
