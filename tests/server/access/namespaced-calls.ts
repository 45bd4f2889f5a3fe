import { type ApiName, api } from '../../../src/contract/api.ts';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { pathOf, type TestClient, type WireAnswer } from '../http-client.ts';

/**
 * Where somebody may do what they hold in one namespace alone, written down by hand: a row for each call on a cluster
 * that is not for Owners.
 *
 * - `named`: in that namespace; refused (403) in another and without one
 * - `cluster`: nowhere: it is about the cluster as a whole
 * - `filtered`: always, and the answer has nothing of other namespaces
 * - `free`: always, as the answer is of no namespace
 */
export type NamespacedAnswer = 'named' | 'cluster' | 'filtered' | 'free';

/** By the name of the call. */
export const namespacedCalls: Readonly<Record<string, NamespacedAnswer>> = {
  clusterState: 'free',
  userPermissions: 'free',
  permissionsOfRole: 'free',
  namespaces: 'filtered',
  namespace: 'named',
  createNamespace: 'cluster',
  definitions: 'cluster',
  addOns: 'free',
  counts: 'filtered',
  userSettings: 'free',
  saveUserSettings: 'free',
  addWebhook: 'free',
  deleteWebhook: 'free',
  changeWebhook: 'free',
  changeWebhookSecret: 'free',
  testWebhook: 'free',
  webhookDeliveries: 'free',
  redeliver: 'free',
  chat: 'free',
  conversations: 'free',
  addConversation: 'free',
  conversation: 'free',
  changeConversation: 'free',
  deleteConversation: 'free',
  askChat: 'free',
  stopChat: 'free',
  takeProposal: 'free',
  follow: 'free',
  acknowledge: 'free',
  customObjects: 'cluster',
  customObjectsIn: 'named',
  customObject: 'cluster',
  customObjectIn: 'named',
  objects: 'named',
  object: 'named',
  createObject: 'named',
  patchObject: 'named',
  revisions: 'named',
  availableActions: 'named',
  deletionEffects: 'named',
  objectWriters: 'named',
  runAction: 'named',
  createResource: 'named',
  applyResource: 'named',
  checkResource: 'named',
  editSource: 'named',
  editObject: 'named',
  compareLists: 'named',
  compareSecrets: 'named',
  secretContents: 'named',
  revealSecret: 'named',
  jobs: 'filtered',
  cancelJob: 'filtered',
  releaseHistory: 'named',
  releaseResources: 'named',
  releaseContents: 'named',
  revealRelease: 'named',
  kindSchema: 'free',
  searchKinds: 'free',
  usageOf: 'named',
  objectUsageHistory: 'named',
  clusterUsageHistory: 'filtered',
  clusterUsage: 'cluster',
  diagnoseObject: 'named',
  diagnoseCluster: 'filtered',
  warmUp: 'free',
};

/** Whether a call's path has a namespace, so that it is never about all of them. */
export const needsNamespace = (name: string): boolean =>
  /\/:(ns|namespace)\b/.test(api[name as ApiName].path);

/** Whether a call is refused to somebody who holds all that it needs in one namespace alone: there, elsewhere, without one. */
export function refusedWithin(answer: NamespacedAnswer): {
  readonly own: boolean;
  readonly other: boolean;
  readonly whole: boolean;
} {
  if (answer === 'named') return { own: false, other: true, whole: true };
  const isRefusedAlways = answer === 'cluster';
  return { own: isRefusedAlways, other: isRefusedAlways, whole: isRefusedAlways };
}

const configMap = (namespace: string | undefined, name: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
});

/** The body of a call about an object in a namespace; without one it is about all of them, or about the cluster. */
function bodyOf(name: string, kind: string, namespace: string | undefined, object: string): unknown {
  const place = namespace === undefined ? {} : { namespace };
  const refs =
    namespace === undefined ? [{ kind: 'node', name: object }] : [{ kind, ...place, name: object }];
  const text = JSON.stringify(
    namespace === undefined
      ? { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'made-here' } }
      : configMap(namespace, 'made-here'),
  );
  const bodies: Readonly<Record<string, unknown>> = {
    createNamespace: { name: 'made-here' },
    createObject: { object: { metadata: { name: `new-${object}`, ...place } } },
    patchObject: { resourceVersion: '1', patch: { metadata: { labels: { a: 'b' } } } },
    editObject: {
      resourceVersion: '1',
      changes: [{ op: 'add', path: ['metadata', 'labels'], value: {} }],
      dryRun: true,
    },
    availableActions: { refs },
    deletionEffects: { refs },
    objectWriters: { refs },
    runAction: { refs, dryRun: true },
    createResource: { yaml: text },
    applyResource: { yaml: text, dryRun: true },
    checkResource: {
      documents: [
        namespace === undefined
          ? { apiVersion: 'v1', kind: 'Namespace', name: 'made-here' }
          : { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: object },
      ],
    },
    revealSecret: { keys: [object] },
    usageOf: { objects: [{ namespace: namespace ?? '', name: object }] },
  };
  return bodies[name] ?? {};
}

/** What a call is about: an object of a kind in a namespace; without one all of them, or the cluster. */
export interface CallAbout {
  readonly clusterId: number;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly object: string;
}

/** Calls an endpoint about an object of a kind in a namespace, or about all of them. */
export async function callIn(
  client: TestClient,
  name: string,
  { clusterId, kind, namespace, object }: CallAbout,
): Promise<WireAnswer> {
  const endpoint: Endpoint = api[name as ApiName];
  const params = {
    clusterId,
    kind,
    // The cluster's own definition of what has a file here.
    crdName: 'scaledobjects.keda.sh',
    name: name === 'namespace' ? (namespace ?? 'kube-system') : object,
    namespace,
    ns: namespace,
    revision: 1,
    jobId: 999_999,
    actionId: namespace === undefined ? 'node.cordon' : 'deployment.restart',
    roleId: teamRoles.Viewer,
  };
  const query: Record<string, string> = {};
  const has = (key: string) => endpoint.query !== undefined && key in endpoint.query.shape;
  if (has('namespace') && namespace !== undefined) query.namespace = namespace;
  if (has('seconds')) query.seconds = '900';
  if (has('seconds') && has('name')) query.name = object;
  if (has('otherCluster')) {
    query.otherCluster = String(clusterId);
    if (namespace !== undefined) query.otherNamespace = namespace;
    if (has('otherName')) query.otherName = 'another';
  }
  return await client.send(
    endpoint.method,
    pathOf(endpoint, params, query),
    endpoint.body === undefined ? undefined : bodyOf(name, kind, namespace, object),
  );
}

/** Whether an answer refuses: some calls say so for each object. */
export function isRefused(name: string, { status, json }: WireAnswer): boolean {
  if (status === 403) return true;
  // Without a namespace there is nowhere to create it.
  if (name === 'createObject' && status === 400) return true;
  if (name === 'checkResource') {
    const { checks = [] } = json as { checks?: { refusal: string | null }[] };
    return checks.some(({ refusal }) => refusal?.includes('permission') === true);
  }
  if (name !== 'applyResource') return false;
  return ((json as { results?: { status: number }[] }).results ?? []).some((one) => one.status === 403);
}
