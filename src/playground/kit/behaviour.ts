import { at, type Obj, type Rec, recs, str } from './values.ts';

/**
 * The annotation that asks for a fault in a pod (or in the pods of a workload's template): one of `behaviours`,
 * for the first container, or `behaviour:name` for the named one, init containers included.
 */
export const behaviourNote = 'playground/behaviour';

/** Available behaviours, each with its description. */
export const behaviours = {
  ok: 'starts and stays, as every container does that is asked for nothing',
  'slow-start': 'passes its startup or readiness probe only after 45 s',
  'crash-loop': 'ends with code 1 some seconds after each start: CrashLoopBackOff',
  oom: 'is killed for its memory within a minute of each start: OOMKilled, code 137',
  flaky: 'runs well, but ends with code 1 every half an hour or so',
  'image-pull': 'its image does not exist: ErrImagePull, ImagePullBackOff',
  'config-error': 'a secret it needs does not exist: CreateContainerConfigError',
  unready: 'its readiness probe fails for ever',
  flapping: 'its readiness comes and goes: ready for a minute, not ready for half of one',
  liveness: 'its liveness probe fails after a minute and a half, so it is killed and restarted',
  startup: 'never passes its startup probe, so it is killed and restarted',
  'init-fail': 'the first init container of the pod ends with code 1: Init:CrashLoopBackOff',
  evicted:
    'is evicted when its node runs short of memory: first after some minutes, of a workload one each half an hour',
  deaf: 'ignores the signal to stop: it is killed at the end of its grace period',
  unschedulable: 'asks for a node that there is not: Pending, FailedScheduling',
  noisy: 'writes some fifty lines a second into its log',
  'exit-0': 'ends by itself with code 0',
  'exit-1': 'ends by itself with code 1; so do exit-2 to exit-255 with theirs',
} as const;

/** The behaviour of a container. */
export type Behaviour = keyof typeof behaviours;

/** Synonyms of behaviours. */
const aliases: Readonly<Record<string, Behaviour>> = {
  crash: 'crash-loop',
  image: 'image-pull',
  'not-ready': 'unready',
};

const limitedTag = /:[\w.-]*rate-limited/;
const missingTag = /:[\w.-]*(missing|nonexistent|does-?not-?exist|not-?found|broken|typo|nope)/;

/** Whether the registry of an image refuses to give it, as too many were pulled. */
export const isLimited = (image: string): boolean => limitedTag.test(image);

/** Matches `exit-2` to `exit-255`. */
const exitWord = /^exit-(?:[1-9]|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])$/;

/** The exit code that a pod's behaviour asks for; 1 by default. */
export function exitCodeOf(pod: Obj): number {
  const [word = ''] = str(at(pod.metadata.annotations, behaviourNote)).split(':');
  return exitWord.test(word) ? Number(word.slice('exit-'.length)) : 1;
}

const isBehaviour = (word: string): word is Behaviour => Object.hasOwn(behaviours, word);

/** The behaviour that annotations ask for, and the container that they name, if any. */
export function requestedBehaviour(annotations: unknown): {
  word: Behaviour | undefined;
  container: string | undefined;
} {
  const [word = '', container] = str(at(annotations, behaviourNote)).split(':');
  const canonical = aliases[word] ?? (exitWord.test(word) ? 'exit-1' : word);
  return { word: isBehaviour(canonical) ? canonical : undefined, container };
}

/** The behaviour of one container of a pod. */
export function behaviourOf(pod: Obj, container: string, image: string): Behaviour {
  const { word, container: which } = requestedBehaviour(pod.metadata.annotations);
  const init = recs(at(pod, 'spec', 'initContainers'));
  const first = recs(at(pod, 'spec', 'containers'))[0]?.['name'];
  const initContainer: Rec | undefined = init.find((item) => item['name'] === container);
  if (word === 'init-fail') {
    if ((which ?? init[0]?.['name']) === container) return 'exit-1';
  } else if (word !== undefined && (which ?? first) === container) return word;
  if (missingTag.test(image) || isLimited(image)) return 'image-pull';
  if (initContainer !== undefined) return initContainer['restartPolicy'] === 'Always' ? 'ok' : 'exit-0';
  const ephemeral = recs(at(pod, 'spec', 'ephemeralContainers')).some((item) => item['name'] === container);
  const main = recs(at(pod, 'spec', 'containers')).find((item) => item['name'] === container);
  const policy = str(main?.['restartPolicy']) || at(pod, 'spec', 'restartPolicy');
  return ephemeral || policy === 'Always' ? 'ok' : 'exit-0';
}

/** A hash of the parts as a number from 0 up to 1. */
export function steady(...parts: (string | number)[]): number {
  const text = parts.join('/');
  let hash = 2166136261;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return ((hash ^ (hash >>> 13)) >>> 0) / 4294967296;
}
