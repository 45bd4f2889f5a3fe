import { at, type Obj, str } from '../values.ts';

/** The annotation of a pod template by which a breakage is asked for. */
export const behaviourNote = 'playground/behaviour';

/**
 * What a pod does:
 * - `ok`: starts and stays; `slow-start`: is ready only after 45 s
 * - `crash-loop`: ends with code 1 some seconds after each start; `oom`: is killed for its memory
 * - `flaky`: runs well, but ends with code 1 every half an hour or so
 * - `image-pull`: its image does not exist; `config-error`: a secret it needs does not exist
 * - `unready`: its readiness probe fails; `liveness`: its liveness probe fails, so it is restarted
 * - `exit-0`, `exit-1`: ends by itself with this code
 */
export type Behaviour =
  | 'ok'
  | 'slow-start'
  | 'crash-loop'
  | 'oom'
  | 'flaky'
  | 'image-pull'
  | 'config-error'
  | 'unready'
  | 'liveness'
  | 'exit-0'
  | 'exit-1';

const known = new Set<string>([
  'ok',
  'slow-start',
  'crash-loop',
  'oom',
  'flaky',
  'image-pull',
  'config-error',
  'unready',
  'liveness',
  'exit-0',
  'exit-1',
]);

const missingTag = /:[\w.-]*(missing|nonexistent|does-?not-?exist|not-?found|broken|typo|nope)/;

/** What one container of a pod does: `behaviour` for the first, `behaviour:name` for a named one. */
export function behaviourOf(pod: Obj, container: string, image: string): Behaviour {
  const asked = pod.metadata.annotations?.[behaviourNote];
  const [word = '', which] = (asked ?? '').split(':');
  const containers = at(pod, 'spec', 'containers');
  const first = Array.isArray(containers) ? str(at(containers[0], 'name')) : '';
  if (known.has(word) && (which ?? first) === container) return word as Behaviour;
  if (missingTag.test(image)) return 'image-pull';
  return at(pod, 'spec', 'restartPolicy') === 'Always' ? 'ok' : 'exit-0';
}

/** A number from 0 up to 1 that is always the same for the same words. */
export function steady(...words: (string | number)[]): number {
  const text = words.join('/');
  let hash = 2166136261;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return ((hash ^ (hash >>> 13)) >>> 0) / 4294967296;
}
