/** A cause that lies outside of the object that reports it, so that others report it as well. */
export interface SharedCause {
  /** The problem as a whole sentence: the same for all objects with one cause. */
  readonly title: string;
  /** In another namespace it is another cause. */
  readonly isInNamespace: boolean;
  /** The object whose creation or change ends it, where the message names one. */
  readonly remedy?: ObjectRemedy;
}

/** An object of the same namespace whose creation or change ends a problem. */
export interface ObjectRemedy {
  readonly verb: 'create' | 'edit';
  readonly kind: RemedyKind;
  readonly name: string;
}

/** Kinds that somebody creates or changes against a problem of another object. */
export type RemedyKind = 'ConfigMap' | 'ResourceQuota' | 'Secret' | 'ServiceAccount';

/** A cause in a message of the cluster. */
interface CausePattern {
  readonly pattern: RegExp;
  /** The sentence, of what the pattern captured. */
  readonly title: (...captured: readonly string[]) => string;
  readonly isInNamespace: boolean;
  readonly remedy?: (...captured: readonly string[]) => ObjectRemedy | undefined;
}

/** Kinds whose objects pods need, which messages of the cluster write in lower case. */
const kinds = ['Secret', 'ConfigMap', 'ServiceAccount', 'PersistentVolumeClaim'];

/** Those of them that can be created from their name alone. A service account `default` comes from the cluster. */
const creatable = ['Secret', 'ConfigMap', 'ServiceAccount'] as const;

/** The creation of a missing object; undefined where its name does not say what has to be in it. */
function creationOf(word: string, name: string): ObjectRemedy | undefined {
  const kind = creatable.find((one) => one.toLowerCase() === word.toLowerCase());
  const isOfCluster = (kind === 'ServiceAccount' && name === 'default') || name === 'kube-root-ca.crt';
  return kind === undefined || isOfCluster ? undefined : { verb: 'create', kind, name };
}

const patterns: readonly CausePattern[] = [
  {
    pattern: new RegExp(`\\b(${kinds.join('|')})s? "([^"]+)" not found`, 'i'),
    title: (kind = '', name) =>
      `The ${kinds.find((one) => one.toLowerCase() === kind.toLowerCase()) ?? kind} ${name} does not exist.`,
    isInNamespace: true,
    remedy: (kind = '', name = '') => creationOf(kind, name),
  },
  {
    pattern: /exceeded quota: ([\w.-]+)/,
    title: (quota) => `The quota ${quota} is used up.`,
    isInNamespace: true,
    remedy: (name = '') => ({ verb: 'edit', kind: 'ResourceQuota', name }),
  },
  {
    pattern: /\badmission webhook "([^"]+)" denied/,
    title: (webhook) => `The webhook ${webhook} denies the pods.`,
    isInNamespace: false,
  },
  {
    pattern: /\bcalling webhook "([^"]+)"/,
    title: (webhook) => `The webhook ${webhook} fails.`,
    isInNamespace: false,
  },
  {
    pattern: /\bstorageclass(?:\.storage\.k8s\.io)? "([^"]+)" not found/i,
    title: (name) => `The storage class ${name} does not exist.`,
    isInNamespace: false,
  },
];

/**
 * The cause that a message of the cluster reports, where it lies outside of the object: a missing Secret, a used-up quota, a
 * webhook. Undefined for a cause that may be the object's own.
 */
export function sharedCause(message: string): SharedCause | undefined {
  for (const { pattern, title, isInNamespace, remedy } of patterns) {
    const found = pattern.exec(message);
    if (found === null) continue;
    const [, ...captured] = found;
    const helps = remedy?.(...captured);
    return { title: title(...captured), isInNamespace, ...(helps === undefined ? {} : { remedy: helps }) };
  }
  return undefined;
}

/** Failures of a registry as a whole, not of one of its images. */
const registryFailure =
  /no such host|connection refused|i\/o timeout|deadline exceeded|TLS handshake|certificate|unauthorized|authentication required|toomanyrequests|429 Too Many|50[0-4] /i;

/** A refusal of a registry that asks for another account. */
const registryDenial =
  /unauthorized|authentication required|denied|no basic auth|insufficient_scope|\b40[13]\b/i;

/**
 * The cause for which an image cannot be pulled: its registry where that fails as a whole, else the image. A back-off
 * says nothing of the registry.
 * @param image as the container names it
 * @param pullSecret the one that the pod names
 */
export function sharedImageCause(message: string, image: string, pullSecret?: string): SharedCause {
  const [host = '', ...path] = image.split('/');
  const isHost = path.length > 0 && /[.:]|^localhost$/.test(host);
  const title = registryFailure.test(message)
    ? `Images cannot be pulled from the registry ${isHost ? host : 'docker.io'}.`
    : `The image ${image} cannot be pulled.`;
  const isDenied = registryDenial.test(message.replaceAll(image, ''));
  if (!isDenied || pullSecret === undefined) return { title, isInNamespace: false };
  return { title, isInNamespace: false, remedy: { verb: 'edit', kind: 'Secret', name: pullSecret } };
}

/** Reasons against a node that are not about the pod's own wishes: it is full, or its taint keeps all pods away. */
const nodeReason = /^\d+ (?:Insufficient |Too many pods|node\(s\) had untolerated taint)/;

/**
 * The lack that keeps a pod from every node, of the scheduler's message without its counts: pods that miss the same are helped
 * by the same. Undefined where a wish of the pod (a selector, a volume, a port) keeps it from a node.
 */
export function sharedPlacement(message: string): SharedCause | undefined {
  const list = /^\d+\/\d+ nodes are available: (.*?)\.(?:\s|$)/.exec(message)?.[1];
  const reasons = list?.split(', ') ?? [];
  if (reasons.length === 0 || !reasons.every((reason) => nodeReason.test(reason))) return undefined;
  const lacks = new Set(reasons.map((reason) => reason.replace(/^\d+ /, '')));
  return { title: `No node can take the pods: ${[...lacks].sort().join(', ')}.`, isInNamespace: false };
}
