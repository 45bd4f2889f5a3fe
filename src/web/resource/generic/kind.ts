import { genericKind } from '../../../../commands/kinds/custom.ts';
import { builtInOf } from '../../../registry/builtin.ts';
import type { AnyKind } from '../../../registry/kind.ts';
import { coreGroup } from '../../../registry/resource-key.ts';

/** The kind of a path's group and plural: a built-in without a file. Undefined for what this console does not know. */
export function kindOfPath(params: Readonly<Record<string, string>>): AnyKind | undefined {
  const { group = '', plural = '' } = params;
  const builtIn = builtInOf({ group: group === coreGroup ? '' : group, plural });
  return builtIn === undefined ? undefined : genericKind(builtIn);
}
