import { builtIns } from '../../registry/builtin.ts';
import { formatResourceKey } from '../../registry/resource-key.ts';
import { kindOfObject } from './kinds.ts';

/**
 * The kind id, or the resource key of a built-in without a file, that apiVersion and kind mean; undefined for what
 * neither names.
 */
export function kindNameOf(apiVersion: string, kind: string): string | undefined {
  const declared = kindOfObject(apiVersion, kind);
  if (declared !== undefined) return declared.id;
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  const found = builtIns.find(({ resource }) => resource.kind === kind && resource.group === group);
  return found === undefined ? undefined : formatResourceKey(found.resource);
}
