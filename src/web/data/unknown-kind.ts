import type { KindFacts } from '../../registry/kind-facts.ts';
import { parseKindName } from '../../registry/resource-key.ts';
import { kindLabel } from './kind-names.ts';

/**
 * What stands for a kind until the server has said what it is: its name, no columns and no actions.
 * @param name as `parseKindName` reads it
 */
export function unknownKind(name: string): KindFacts {
  const { group = '', version = '', word = name } = parseKindName(name) ?? {};
  return {
    id: name,
    kind: kindLabel(name),
    group,
    version,
    plural: word,
    scope: 'Namespaced',
    title: word,
    permissions: { view: 'owner', manage: 'owner' },
    paths: { list: '/clusters/:clusterId' },
    columns: [],
    actions: [],
  };
}
