import { builtInOf, builtIns } from '../../../registry/kinds/builtin.ts';
import { formatKindName, formatResourceKey, parseKindName } from '../../../registry/kinds/resource-key.ts';
import { kindById, kindOfObject, kindOfResource } from './declared.ts';

/**
 * The kind id that apiVersion and kind mean; for a kind without a file the name by which the server finds it. Undefined
 * for what cannot be a kind.
 */
export function kindNameOf(apiVersion: string, kind: string): string | undefined {
  const declared = kindOfObject(apiVersion, kind);
  if (declared !== undefined) return declared.id;
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  const found = builtIns.find(({ resource }) => resource.kind === kind && resource.group === group);
  if (found !== undefined) return formatResourceKey(found.resource);
  const name = formatKindName({ group, word: kind });
  return parseKindName(name) === undefined ? undefined : name;
}

/** Kubernetes' own name of a kind, by its id here or by its name; its plural where nothing else is known. */
export function kindLabel(id: string): string {
  const declared = kindById(id)?.kind;
  if (declared !== undefined) return declared;
  const name = parseKindName(id);
  if (name === undefined) return id;
  const resource = { group: name.group, plural: name.word };
  return kindOfResource(resource)?.kind ?? builtInOf(resource)?.resource.kind ?? name.word;
}
