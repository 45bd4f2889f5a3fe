import type { Pod } from '../../../kube/core.ts';
import { type Clue, field, rule } from '../rule.ts';
import { oneOf, type World } from '../world.ts';
import { containerOf, type NamedContainer, workloadRemedy } from './pod-parts.ts';
import { keysAskedOf, type Source, sourcesOf } from './pod-sources.ts';

/** Words of a runtime that finds a directory where a file is, or a file where a directory is. */
const mixedUp = /not a directory|is a directory|mount a directory onto a file/i;

/** A message of the runtime about a container that cannot be started, with its field. */
function startMessage({ status, statusPath }: NamedContainer) {
  const { state, lastState } = status ?? {};
  const places = [
    ['state.terminated', state?.terminated?.message],
    ['lastState.terminated', lastState?.terminated?.message],
    ['state.waiting', state?.waiting?.message],
  ] as const;
  const found = places.find(([, message]) => message !== undefined && mixedUp.test(message));
  return found?.[1] === undefined
    ? undefined
    : { message: found[1], path: `${statusPath}.${found[0]}.message` };
}

/** The container of a pod that cannot start because of a mount, with where it wants the volume. */
export function mixedMount(pod: Pod) {
  const names = [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])];
  for (const { name } of names) {
    const found = containerOf(pod, name);
    const said = found.status?.state?.running === undefined ? startMessage(found) : undefined;
    const target = /to rootfs at "([^"]+)"/.exec(said?.message ?? '')?.[1];
    const mounts = found.container?.volumeMounts ?? [];
    const at = mounts.findIndex(({ mountPath }) => mountPath === target);
    const mount = mounts[at];
    if (said !== undefined && mount !== undefined) return { found, said, mount, at };
  }
  return undefined;
}

const sourceText = ({ kind, name }: Source): string => `${kind} ${name}`;

/** Keys of a config map; undefined for a Secret, which is not looked for, and while they are not known. */
const keysOf = ({ kind, name }: Source, pod: Pod, world: World): readonly string[] | undefined => {
  const map = kind === 'ConfigMap' ? oneOf(world, 'ConfigMap', name, pod.metadata?.namespace) : undefined;
  return map ? [...Object.keys(map.data ?? {}), ...Object.keys(map.binaryData ?? {})] : undefined;
};

/** A volume that is a directory where its container has a file, or the other way round. */
export const mountTypeRule = rule<Pod>({
  id: 'pod.mount-type',
  kind: 'Pod',
  tone: 'bad',
  sort: 'cause',
  find(pod, world): Clue | undefined {
    const mixed = mixedMount(pod);
    if (mixed === undefined) return undefined;
    const { found, said, mount, at } = mixed;
    const { mountPath = '', subPath = '', name: volumeName = '' } = mount;
    const volume = pod.spec?.volumes?.find(({ name }) => name === volumeName);
    const [source] = volume === undefined ? [] : sourcesOf(volume);
    const keys = source && keysOf(source, pod, world);
    const called =
      source === undefined ? `volume ${volumeName}` : `${sourceText(source)} (volume ${volumeName})`;
    const isAsked = source !== undefined && keysAskedOf(pod, source).includes(subPath);
    const isNoKey = subPath !== '' && keys !== undefined && !keys.includes(subPath) && !isAsked;
    let sentence = `Container ${found.name} cannot mount the subPath ${subPath} of ${called} at ${mountPath}: one is a file, and the other a directory.`;
    if (subPath === '')
      sentence = `Container ${found.name} has a file at ${mountPath}, and ${called} is mounted there as a directory. Set subPath of the mount to the name of the file.`;
    if (source !== undefined && isNoKey)
      sentence = `${sourceText(source)} has no key ${subPath}, the subPath of volume ${volumeName}: container ${found.name} gets a directory at ${mountPath}, where it has a file. The existing keys are ${keys.join(', ') || 'none'}.`;
    return {
      sentence,
      evidence: [field(pod, said.path), field(pod, `${found.specPath}.volumeMounts[${at}]`)],
      actions: workloadRemedy(pod, world, 'rollback'),
      opens:
        source === undefined
          ? []
          : [
              {
                apiVersion: 'v1',
                ...source,
                ...(pod.metadata?.namespace === undefined ? {} : { namespace: pod.metadata.namespace }),
              },
            ],
    };
  },
});
