import type { Definition } from '../../contract/custom-resources.ts';
import { cleanText } from '../../kube/text.ts';
import { isBuiltInGroup } from '../../registry/kinds/builtin.ts';
import { parseKindName } from '../../registry/kinds/resource-key.ts';
import { canListResource, type Rules } from '../clusters/credential-rules.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import { isPlain } from './read.ts';

/** API groups that are asked for their resources at most. */
const maxGroups = 500;

/**
 * The resources of a cluster that the credential may list and that are not built in, by the API's own directory: for a
 * credential that may not read their definitions. Throws ClusterProblem.
 * @param rules what the credential may do; undefined where that is not known, which leaves nothing out
 */
export async function discoverDefinitions(
  transport: Transport,
  rules: Rules | undefined,
): Promise<readonly Definition[]> {
  const groups = listIn(await transport.json<unknown>({ path: '/apis' }), 'groups')
    .flatMap((group) => {
      const name = textIn(group, 'name');
      const version = textIn(group['preferredVersion'], 'version');
      return isBuiltInGroup(name) || !mayListIn(rules, name) ? [] : [{ name, version }];
    })
    .slice(0, maxGroups);
  const found = await Promise.all(groups.map((group) => resourcesOf(transport, group)));
  return found
    .flat()
    .filter(
      ({ spec: { group, names } }) =>
        rules === undefined || canListResource(rules, { group, plural: names.plural }),
    );
}

const mayListIn = (rules: Rules | undefined, group: string) =>
  rules?.some(({ apiGroups }) => apiGroups.some((one) => one === '*' || one === group)) ?? true;

async function resourcesOf(
  transport: Transport,
  { name: group, version }: { readonly name: string; readonly version: string },
): Promise<readonly Definition[]> {
  try {
    const answer = await transport.json<unknown>({ path: `/apis/${group}/${version}` });
    return listIn(answer, 'resources').flatMap((resource) => {
      const plural = textIn(resource, 'name');
      const verbs: unknown = resource['verbs'];
      const isListed = Array.isArray(verbs) && verbs.includes('list');
      // Subresources are in the same directory, as `pods/status`.
      if (!isListed || parseKindName(`${group}~${version}~${plural}`) === undefined) return [];
      const shortNames: unknown = resource['shortNames'];
      return [
        {
          metadata: { name: `${plural}.${group}` },
          spec: {
            group,
            scope: resource['namespaced'] === false ? ('Cluster' as const) : ('Namespaced' as const),
            names: {
              kind: cleanText(textIn(resource, 'kind')).slice(0, 63),
              plural,
              shortNames: Array.isArray(shortNames) ? shortNames.map((one) => cleanText(String(one))) : [],
            },
          },
        },
      ];
    });
  } catch (error) {
    // One group whose server is away hides no other.
    if (error instanceof ClusterProblem && error.upstream.status !== undefined) return [];
    throw error;
  }
}

const listIn = (value: unknown, name: string): readonly Record<string, unknown>[] => {
  const list: unknown = isPlain(value) ? value[name] : undefined;
  return Array.isArray(list) ? list.filter(isPlain) : [];
};

const textIn = (value: unknown, name: string): string => {
  const text: unknown = isPlain(value) ? value[name] : undefined;
  return typeof text === 'string' ? text : '';
};
