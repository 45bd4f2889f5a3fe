/** A kind that a cluster defines, in the shape of real ones, and the objects that it has. */
export interface SampleKind {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly definition: object;
  /** Path of the collection that its objects are created in. */
  readonly path: string;
  /** Objects with the status that their controller writes; the first one is broken. */
  readonly objects: readonly { readonly metadata: { readonly name: string }; readonly status: object }[];
  /** Whether the API server takes the status of its objects by a path of its own. */
  readonly hasSubresource: boolean;
}

/**
 * Sizes of definitions in thousands of bytes, one eighth of all each. Those of 26 projects' 219 definitions took 18.5 MB:
 * half of them are small, and a few repeat the whole schema of a pod.
 */
const thousands = [4, 8, 14, 25, 45, 80, 150, 350] as const;
const propertiesOfPart = 20;

/** A schema of about this many bytes: objects of objects, each field with a sentence as Go comments give. */
function schemaOf(bytes: number): object {
  const field = {
    type: 'string',
    maxLength: 253,
    description:
      'The name of the referenced object. It must be in the namespace of this object and is resolved by the controller.',
  };
  const partBytes = propertiesOfPart * (JSON.stringify(field).length + 12);
  const part = () => ({
    type: 'object',
    description: 'The settings of one part of the system.',
    properties: Object.fromEntries(
      Array.from({ length: propertiesOfPart }, (_, index) => [`field${index}`, field]),
    ),
  });
  const parts = Math.max(1, Math.round(bytes / partBytes));
  const properties = Object.fromEntries(
    Array.from({ length: parts }, (_, index) => [`part${index}`, part()]),
  );
  return {
    type: 'object',
    properties: {
      spec: { type: 'object', properties },
      status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  };
}

const statusOf = (isBroken: boolean) => ({
  conditions: [
    {
      type: 'Ready',
      status: isBroken ? 'False' : 'True',
      reason: isBroken ? 'ReconcileFailed' : 'Reconciled',
      message: isBroken ? 'The remote API refused the request.' : '',
      lastTransitionTime: '2026-11-01T00:00:00Z',
    },
  ],
});

/**
 * Kinds of a cluster with many definitions: ten of a group, one in seven without a status subresource.
 * @param withObjects kinds that have objects, spread over all
 * @param scale of the sizes of definitions; real ones by default
 */
export function manyKinds(count: number, withObjects: number, scale = 1): readonly SampleKind[] {
  return Array.from({ length: count }, (_, index) => {
    const group = `g${Math.floor(index / 10)}.example.org`;
    const [plural, kind] = [`parts${index}`, `Part${index}`];
    const hasSubresource = index % 7 !== 0;
    const hasObjects =
      Math.floor(((index + 1) * withObjects) / count) > Math.floor((index * withObjects) / count);
    const size = (thousands[index % thousands.length] ?? 1) * 1_000 * scale;
    return {
      group,
      plural,
      kind,
      hasSubresource,
      path: `/apis/${group}/v1/namespaces/default/${plural}`,
      objects: Array.from({ length: hasObjects ? 1 + (index % 5) : 0 }, (_, at) => ({
        apiVersion: `${group}/v1`,
        kind,
        metadata: { name: `part-${at}` },
        status: statusOf(at === 0),
      })),
      definition: {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `${plural}.${group}` },
        spec: {
          group,
          scope: 'Namespaced',
          names: { kind, plural, singular: kind.toLowerCase(), shortNames: [`p${index}`] },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              additionalPrinterColumns: [
                { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
                { name: 'First', type: 'string', jsonPath: '.spec.part0.field0', priority: 1 },
              ],
              ...(hasSubresource ? { subresources: { status: {} } } : {}),
              schema: { openAPIV3Schema: schemaOf(size) },
            },
          ],
        },
      },
    };
  });
}

/** Creates kinds and their objects. @param call sends a request and throws on an answer that is no success */
export async function createKinds(
  kinds: readonly SampleKind[],
  call: (method: 'POST' | 'PATCH', path: string, body: object, contentType?: string) => Promise<unknown>,
): Promise<void> {
  for (const { definition } of kinds)
    await call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  for (const { path, objects, hasSubresource } of kinds)
    for (const object of objects) {
      await call('POST', path, object);
      if (!hasSubresource) continue;
      const { status, metadata } = object;
      await call('PATCH', `${path}/${metadata.name}/status`, { status }, 'application/merge-patch+json');
    }
}
