import type { Pod } from '../../../kube/core.ts';
import { oneOf, type World } from '../world.ts';

/** How a kubelet and the attaching controller say that a volume fails: its name, and their words. */
const failure = /^(Attach|Mount|Map|Unmap)Volume\.\w+ failed for volume "([^"]+)" ?: (.+)$/s;

/** The volume of a pod as people call it: by its claim, where the name is that of its volume. */
function calledVolume(name: string, pod: Pod, world: World): string {
  const claims = (pod.spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) => {
    const claim = persistentVolumeClaim?.claimName;
    const found =
      claim === undefined ? undefined : oneOf(world, 'PersistentVolumeClaim', claim, pod.metadata?.namespace);
    return found?.spec?.volumeName === name ? [claim] : [];
  });
  const [claim] = claims;
  return claim === undefined ? `volume ${name}` : `the volume of claim ${claim}`;
}

/** The innermost failure of a message to which each layer added its own words in front. */
function innerWords(text: string): string {
  const output = /^Output: (.+)$/ms.exec(text)?.[1] ?? text;
  return output
    .replace(/\s*dmesg\(1\)[^]*$/, '')
    .replace(/^.*?rpc error: code = \w+ desc = /s, '')
    .replace(/^kubernetes\.io\/csi: \S+ failed[^:]*: /, '')
    .replace(/^mount(?:\.\w+)?: \/var\/lib\/kubelet\/\S+: /, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '');
}

/** That a node cannot attach or mount a volume of a pod, the end of a sentence; undefined for other messages. */
export function mountFailure(message: string, pod: Pod, world: World): string | undefined {
  const [, verb = '', name = '', words = ''] = failure.exec(message.trim()) ?? [];
  if (name === '') return undefined;
  return `cannot ${verb.toLowerCase()} ${calledVolume(name, pod, world)} for the pod: ${innerWords(words)}`;
}
