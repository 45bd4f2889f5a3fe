import { builtInOf, builtIns } from '../../registry/builtin.ts';
import { formatResourceKey, parseResourceKey } from '../../registry/resource-key.ts';
import { kindById, kindOfObject } from './kinds.ts';

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

/** Kubernetes' own name of a kind, by its id here or by a resource key; what it was called where neither is known. */
export function kindLabel(id: string): string {
  const declared = kindById(id)?.kind;
  if (declared !== undefined) return declared;
  const name = parseResourceKey(id);
  return (name === undefined ? undefined : builtInOf(name)?.resource.kind) ?? id;
}
