/** A cause that lies outside of the object that reports it, so that others report it as well. */
export interface SharedCause {
  /** Of one cause the same for all objects. */
  readonly name: string;
  /** In another namespace it is another cause. */
  readonly isInNamespace: boolean;
}

/** A cause in a message of the cluster. */
interface CausePattern {
  readonly pattern: RegExp;
  /** Its name, of what the pattern captured. */
  readonly name: (...captured: readonly string[]) => string;
  readonly isInNamespace: boolean;
}

const patterns: readonly CausePattern[] = [
  {
    pattern: /\b(secret|configmap|serviceaccount|persistentvolumeclaim)s? "([^"]+)" not found/i,
    name: (kind, name) => `${kind?.toLowerCase()} ${name}`,
    isInNamespace: true,
  },
  {
    pattern: /exceeded quota: ([\w.-]+)/,
    name: (quota) => `quota ${quota}`,
    isInNamespace: true,
  },
  {
    pattern: /\b(?:admission|calling) webhook "([^"]+)"/,
    name: (webhook) => `webhook ${webhook}`,
    isInNamespace: false,
  },
  {
    pattern: /\bstorageclass(?:\.storage\.k8s\.io)? "([^"]+)" not found/i,
    name: (name) => `storageclass ${name}`,
    isInNamespace: false,
  },
];

/**
 * The cause that a message of the cluster reports, where it lies outside of the object: a missing Secret, a used-up quota, a
 * webhook. Undefined for a cause that may be the object's own.
 */
export function sharedCause(message: string): SharedCause | undefined {
  for (const { pattern, name, isInNamespace } of patterns) {
    const found = pattern.exec(message);
    if (found === null) continue;
    const [, ...captured] = found;
    return { name: name(...captured), isInNamespace };
  }
  return undefined;
}

/** Failures of a registry as a whole, not of one of its images. */
const registryFailure =
  /no such host|connection refused|i\/o timeout|deadline exceeded|TLS handshake|certificate|unauthorized|authentication required|toomanyrequests|429 Too Many|50[0-4] /i;

/**
 * The cause for which an image cannot be pulled: its registry where that fails as a whole, else the image. A back-off
 * says nothing of the registry.
 * @param image as the container names it
 */
export function sharedImageCause(message: string, image: string): SharedCause {
  const [host = '', ...path] = image.split('/');
  const isHost = path.length > 0 && /[.:]|^localhost$/.test(host);
  const name = registryFailure.test(message) ? `registry ${isHost ? host : 'docker.io'}` : `image ${image}`;
  return { name, isInNamespace: false };
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
  return { name: `placement ${[...lacks].sort().join(', ')}`, isInNamespace: false };
}
