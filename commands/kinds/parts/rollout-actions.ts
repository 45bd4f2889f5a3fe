import { Problem } from '../../../src/contract/problem.ts';
import type { PodTemplate } from '../../../src/kube/apps.ts';
import { type ObjectAddress, objectPath, patchTypes } from '../../../src/kube/change.ts';
import { shellWord } from '../../../src/kube/kubectl.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { type KindAction, kindAction } from '../../../src/registry/kind-action.ts';

/** An object as argument of `kubectl rollout` and `kubectl set`: `deployment/api -n shop`. */
const typed = (kindId: string, { namespace = 'default', name }: ObjectAddress) =>
  `${shellWord(`${kindId}/${name}`)} -n ${shellWord(namespace)}`;

/** Pausing and resuming the rollouts of a kind. Both need the fact `isPaused`. */
export function pauseActions(kindId: string): readonly [pause: KindAction, resume: KindAction] {
  const pause = kindAction({
    id: `${kindId}.pause`,
    title: 'Pause rollout',
    description: 'Holds the rollout: changes of the pod template wait until it is resumed.',
    done: 'paused',
    icon: 'pause',
    endsPods: false,
    applies: ({ facts }) => facts['isPaused'] !== true,
    requests: (_object, _args, { address }) => [
      {
        method: 'PATCH',
        path: objectPath(address),
        contentType: patchTypes.merge,
        body: { spec: { paused: true } },
      },
    ],
    kubectl: (address) => `kubectl rollout pause ${typed(kindId, address)}`,
  });
  const resume = kindAction({
    id: `${kindId}.resume`,
    title: 'Resume rollout',
    description: 'Lets the rollout go on, with all that was changed meanwhile.',
    done: 'resumed',
    icon: 'resume',
    prominent: true,
    // The pods are replaced by what was changed meanwhile.
    endsPods: true,
    applies: ({ facts }) => facts['isPaused'] === true,
    requests: (_object, _args, { address }) => [
      {
        method: 'PATCH',
        path: objectPath(address),
        contentType: patchTypes.merge,
        body: { spec: { paused: null } },
      },
    ],
    kubectl: (address) => `kubectl rollout resume ${typed(kindId, address)}`,
  });
  return [pause, resume];
}

/** Valid image references contain no spaces and no shell characters. */
const imagePattern = String.raw`^[A-Za-z0-9][\w./:@-]{0,254}$`;

/** Sets the image of one container of the pod template. Needs the facts of `imageFacts`. */
export function setImageAction(kindId: string): KindAction {
  return kindAction<
    KubeObject & { spec?: { template?: PodTemplate } },
    {
      container: { type: 'member'; label: string; of: string };
      image: { type: 'text'; label: string; pattern: string; help: string; from: string; along: string };
    }
  >({
    id: `${kindId}.setImage`,
    title: 'Set image…',
    heading: (subject) => `Set image of ${subject}`,
    description: 'Gives a container another image, which replaces the pods.',
    done: 'given another image',
    icon: 'image',
    keywords: ['image', 'tag', 'upgrade'],
    single: true,
    endsPods: true,
    args: {
      container: { type: 'member', label: 'Container', of: 'containers' },
      image: {
        type: 'text',
        label: 'Image',
        pattern: imagePattern,
        help: 'An image as registry/name:tag, or by its digest.',
        from: 'containerImages',
        along: 'container',
      },
    },
    enabled: ({ facts }) => (facts['isPaused'] === true ? 'The rollout is paused. Resume it first.' : true),
    requests: (object, { container, image }, { address }) => {
      const spec = object.spec?.template?.spec;
      const has = (list: readonly { name?: string }[] | undefined) =>
        list?.some(({ name }) => name === container) === true;
      const part = has(spec?.containers) ? 'containers' : 'initContainers';
      if (!has(spec?.[part]))
        throw new Problem({ status: 409, title: `${address.name} has no container ${container}.` });
      return [
        {
          method: 'PATCH',
          path: objectPath(address),
          contentType: patchTypes.strategic,
          body: { spec: { template: { spec: { [part]: [{ name: container, image }] } } } },
        },
      ];
    },
    kubectl: (address, { container, image }) =>
      `kubectl set image ${typed(kindId, address)} ${shellWord(`${container}=${image}`)}`,
  });
}

/** The facts for `setImageAction`: container names, and their images in the same order. */
export function imageFacts(template: PodTemplate | undefined): {
  readonly containers: readonly string[];
  readonly containerImages: readonly string[];
} {
  const { containers = [], initContainers = [] } = template?.spec ?? {};
  const all = [...containers, ...initContainers].flatMap(({ name, image = '' }) =>
    name === undefined ? [] : [{ name, image }],
  );
  return { containers: all.map(({ name }) => name), containerImages: all.map(({ image }) => image) };
}
