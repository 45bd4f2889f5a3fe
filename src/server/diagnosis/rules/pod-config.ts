import type { Pod } from '../../../kube/core.ts';
import { event, field, type Proof, present, rule, trail } from '../rule.ts';
import { wantedSource } from '../../objects/wanted.ts';
import { namedObject, oneOf, warningsOf, type World } from '../world.ts';
import { containerOf, troubleOf, waitingProof, workloadRemedy } from './pod-parts.ts';
import { mixedMount } from './mount-type.ts';
import { troubledMakers } from './secret-makers.ts';
import { keysAskedOf, type Source, sourceOfFile } from './pod-sources.ts';

/** What keeps a container from being made, in the kubelet's words, with where it says so. */
interface KubeletError {
  readonly message: string;
  readonly proof: Proof;
  /** The container, or the volume. */
  readonly part: string;
  /** The volume's name. */
  readonly volume?: string;
}

function kubeletError(pod: Pod, world: World): KubeletError | undefined {
  const trouble = troubleOf(pod, world);
  if (trouble?.cause === 'config') {
    const found = containerOf(pod, trouble.container);
    const message = found.status?.state?.waiting?.message;
    if (message !== undefined)
      return { message, proof: waitingProof(pod, found), part: `container ${found.name}` };
  }
  // A pod whose volumes cannot be mounted waits without a word in its status.
  if (trouble?.cause !== 'not-starting' && !isWaitingForVolumes(pod)) return undefined;
  const mount = warningsOf(world, pod).find(({ reason }) => reason === 'FailedMount');
  const message = mount?.message;
  if (mount === undefined || message === undefined) return undefined;
  const volume = /for volume "([^"]+)"/.exec(message)?.[1] ?? '?';
  return { message, proof: event(pod, mount), part: `volume ${volume} of the pod`, volume };
}

/** A pod on a node that has started nothing yet. */
const isWaitingForVolumes = ({ spec, status }: Pod): boolean =>
  status?.phase === 'Pending' &&
  spec?.nodeName !== undefined &&
  [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].every(
    ({ state }) =>
      state?.waiting !== undefined && /ContainerCreating|PodInitializing/.test(state.waiting.reason ?? ''),
  );

const missingObject = /\b(secret|configmap)s? "([^"]+)" not found/i;
const missingKey =
  /couldn't find key (\S+) in (Secret|ConfigMap) (?:\S+\/)?(\S+)|references non-existent (?:secret|config) key: (\S+)/i;

/**
 * A ConfigMap with the name of a Secret: what somebody may have meant. The other way round Secrets are not looked for:
 * whoever sees the pod may not see them, and would be told nothing at all.
 */
function lookAlike(pod: Pod, world: World, kind: string, name: string) {
  return kind === 'ConfigMap' ? null : oneOf(world, 'ConfigMap', name, pod.metadata?.namespace);
}

const sourceKind = (word = ''): Source['kind'] => (word.toLowerCase() === 'secret' ? 'Secret' : 'ConfigMap');

/** A config map that every namespace gets from the cluster itself. */
const clusterRoot = 'kube-root-ca.crt';

/** Faults that have rules of their own, which say more. */
const ruledWords = [missingObject, missingKey, /runAsNonRoot/];

/** Why containers cannot be made as they are configured. */
export const configRules = [
  rule<Pod>({
    id: 'pod.config-missing',
    kind: 'Pod',
    tone: 'bad',
    sort: 'cause',
    find(pod, world) {
      const why = kubeletError(pod, world);
      const [, word = '', name = ''] = missingObject.exec(why?.message ?? '') ?? [];
      if (why === undefined || word === '') return undefined;
      const kind = sourceKind(word);
      // Why nobody makes it says more.
      if (kind === 'Secret' && troubledMakers(name, pod.metadata?.namespace, world).length > 0)
        return undefined;
      const meant = lookAlike(pod, world, kind, name);
      return {
        sentence: `The ${kind} ${name} that ${why.part} needs does not exist${meant ? '; there is a ConfigMap of that name' : ''}.`,
        evidence: [why.proof, ...(meant ? [present(meant)] : [])],
        actions: workloadRemedy(pod, world, 'rollback'),
        // Where the other kind was meant, the pod has to be changed.
        wanted:
          meant || name === clusterRoot
            ? []
            : [wantedSource(kind, name, pod.metadata?.namespace, keysAskedOf(pod, { kind, name }))],
      };
    },
  }),
  rule<Pod>({
    id: 'pod.config-key',
    kind: 'Pod',
    tone: 'bad',
    sort: 'cause',
    find(pod, world) {
      const why = kubeletError(pod, world);
      const [, key, kind, name, otherKey] = missingKey.exec(why?.message ?? '') ?? [];
      if (why === undefined || (key ?? otherKey) === undefined) return undefined;
      const source =
        name === undefined ? sourceOfFile(pod, why.volume, otherKey ?? '') : { kind: sourceKind(kind), name };
      return {
        sentence:
          source === undefined
            ? `The key ${key ?? otherKey} that ${why.part} needs does not exist.`
            : `The ${source.kind} ${source.name} has no key ${key ?? otherKey}, which ${why.part} needs.`,
        evidence: [why.proof, ...(why.volume === undefined ? [] : [field(pod, 'spec.volumes')])],
        actions: workloadRemedy(pod, world, 'rollback'),
        edits: source === undefined ? [] : [namedObject(source.kind, source.name, pod.metadata?.namespace)],
      };
    },
  }),
  rule<Pod>({
    id: 'pod.create-failed',
    kind: 'Pod',
    tone: 'bad',
    sort: 'symptom',
    find(pod, world) {
      const trouble = troubleOf(pod, world);
      const why = trouble?.cause === 'config' ? kubeletError(pod, world) : undefined;
      if (why === undefined || ruledWords.some((one) => one.test(why.message))) return undefined;
      if (mixedMount(pod) !== undefined) return undefined;
      return {
        sentence: `The kubelet cannot create ${why.part}: ${why.message.trim().replace(/\.$/, '')}.`,
        evidence: [why.proof],
        actions: workloadRemedy(pod, world, 'rollback'),
      };
    },
  }),
  rule<Pod>({
    id: 'pod.run-as-root',
    kind: 'Pod',
    tone: 'bad',
    sort: 'cause',
    find(pod, world) {
      const why = kubeletError(pod, world);
      if (why === undefined || !/runAsNonRoot/.test(why.message)) return undefined;
      const [, user] = /non-numeric user \(([^)]+)\)/.exec(why.message) ?? [];
      return {
        sentence:
          user === undefined
            ? `The image of ${why.part} runs as root, which its runAsNonRoot forbids.`
            : `The image of ${why.part} runs as the user “${user}”: the kubelet cannot tell by a name whether that is root, which runAsNonRoot forbids. Set runAsUser to its number.`,
        evidence: [why.proof],
        actions: workloadRemedy(pod, world, 'rollback'),
      };
    },
  }),
];

/** From a pod without one of its Secrets to what was to make it. */
export const makerTrail = trail<Pod>({
  kind: 'Pod',
  next(pod, world) {
    const [, word = '', name = ''] = missingObject.exec(kubeletError(pod, world)?.message ?? '') ?? [];
    return sourceKind(word) === 'Secret' ? troubledMakers(name, pod.metadata?.namespace, world) : [];
  },
});
