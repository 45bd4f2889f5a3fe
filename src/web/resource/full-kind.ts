import { genericKind } from '../../../commands/kinds/custom.ts';
import { kindById } from '../../../commands/kinds/index.ts';
import { builtInOf } from '../../registry/builtin.ts';
import type { AnyKind } from '../../registry/kind.ts';
import { parseResourceKey } from '../../registry/resource-key.ts';

/** A kind with its code, by id or by the resource key of a built-in without a file. Undefined for anything else. */
export function fullKind(id: string): AnyKind | undefined {
  const declared = kindById(id);
  if (declared !== undefined) return declared;
  const name = parseResourceKey(id);
  const builtIn = name === undefined ? undefined : builtInOf(name);
  return builtIn === undefined ? undefined : genericKind(builtIn);
}
