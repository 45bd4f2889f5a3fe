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
  clusterUsage: 'cluster',
  warmUp: 'free',
};
