import type { Definition } from '../../contract/custom-resources.ts';
import { cleanText } from '../../kube/text.ts';
import { isBuiltInGroup } from '../../registry/kinds/builtin.ts';
import { parseKindName } from '../../registry/kinds/resource-key.ts';
import { canListResource, type Rules } from '../clusters/credential-rules.ts';
import type { Transport } from '../clusters/transport.ts';
import { readDirectory } from './served-resources.ts';

/** API groups that are asked for their resources at most. */
const maxGroups = 500;

/**
 * The resources of a cluster that the credential may list and that are not built in, whatever versions they are served in,
 * by the API's own directory: for a credential that may not read their definitions. Throws ClusterProblem.
 * @param rules what the credential may do; undefined where that is not known, which leaves nothing out
 */
export async function discoverDefinitions(
  transport: Transport,
  rules: Rules | undefined,
): Promise<readonly Definition[]> {
  const groups = new Set<string>();
  const found = await readDirectory(transport, {
    hasGroup(group) {
      if (isBuiltInGroup(group) || !mayListIn(rules, group)) return false;
      if (groups.size < maxGroups) groups.add(group);
      return groups.has(group);
    },
    has: () => true,
    // One group whose server is away hides no other.
    isPartEnough: true,
  });
  return [...found.values()].flatMap(({ group, version, plural, kind, scope, shortNames, isListed }) => {
    const isMine = rules === undefined || canListResource(rules, { group, plural });
    if (!isListed || !isMine || parseKindName(`${group}~${version}~${plural}`) === undefined) return [];
    const aliases = Array.isArray(shortNames) ? shortNames.map((one) => cleanText(String(one))) : [];
    return [
      {
        metadata: { name: `${plural}.${group}` },
        spec: { group, scope, names: { kind, plural, shortNames: aliases } },
      },
    ];
  });
}

const mayListIn = (rules: Rules | undefined, group: string) =>
  rules?.some(({ apiGroups }) => apiGroups.some((one) => one === '*' || one === group)) ?? true;
