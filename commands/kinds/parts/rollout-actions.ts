import { Problem } from '../../../src/contract/problem.ts';
import type { PodTemplate } from '../../../src/kube/apps.ts';
import { type ObjectAddress, objectPath, patchTypes } from '../../../src/kube/change.ts';
import { shellWord } from '../../../src/kube/kubectl.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { type KindAction, kindAction } from '../../../src/registry/kinds/kind-action.ts';

/** An object as argument of `kubectl rollout` and `kubectl set`: `deployment/api -n shop`. */
const typed = (kindId: string, { namespace = 'default', name }: ObjectAddress) =>
  `${shellWord(`${kindId}/${name}`)} -n ${shellWord(namespace)}`;

/** Pausing and resuming the rollouts of a kind. Both need the fact `isPaused`. */
export function pauseActions(kindId: string): readonly [pause: KindAction, resume: KindAction] {
  const pause = kindAction({
    id: `${kindId}.pause`,
    title: 'Pause rollout',
    description: 'Pauses the rollout: changes to the pod template wait until it is resumed.',
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
    description: 'Resumes the rollout, with everything that was changed meanwhile.',
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
    description: 'Sets another image for a container, which replaces the pods.',
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
    requests: (object, { container, image }, { address }) => [
      {
        method: 'PATCH',
        path: objectPath(address),
        contentType: patchTypes.strategic,
        body: templatePatch(object, address.name, { name: container, image }),
      },
    ],
    kubectl: (address, { container, image }) =>
      `kubectl set image ${typed(kindId, address)} ${shellWord(`${container}=${image}`)}`,
  });
}

/** A quantity of memory with a unit: a bare number of bytes is hardly ever meant. */
const memoryPattern = String.raw`^[1-9]\d*(\.\d+)?(Ki|Mi|Gi|Ti|k|M|G|T)$`;

/** Sets the memory limit of one container of the pod template. Needs the facts of `imageFacts` and `memoryFacts`. */
export function setMemoryAction(kindId: string): KindAction {
  return kindAction<
    KubeObject & { spec?: { template?: PodTemplate } },
    {
      container: { type: 'member'; label: string; of: string };
      memory: { type: 'text'; label: string; pattern: string; help: string; from: string; along: string };
    }
  >({
    id: `${kindId}.setMemory`,
    title: 'Set memory limit…',
    heading: (subject) => `Set memory limit of ${subject}`,
    description: 'Gives a container another memory limit, which replaces the pods.',
    done: 'given another memory limit',
    icon: 'scale',
    keywords: ['memory', 'limit', 'limits', 'resources', 'oom', 'ram'],
    single: true,
    endsPods: true,
    args: {
      container: { type: 'member', label: 'Container', of: 'containers' },
      memory: {
        type: 'text',
        label: 'Memory limit',
        pattern: memoryPattern,
        help: 'An amount with its unit, such as 512Mi or 2Gi.',
        from: 'memoryLimits',
        along: 'container',
      },
    },
    enabled: ({ facts }) => (facts['isPaused'] === true ? 'The rollout is paused. Resume it first.' : true),
    requests: (object, { container, memory }, { address }) => [
      {
        method: 'PATCH',
        path: objectPath(address),
        contentType: patchTypes.strategic,
        body: templatePatch(object, address.name, { name: container, resources: { limits: { memory } } }),
      },
    ],
    kubectl: (address, { container, memory }) =>
      `kubectl set resources ${typed(kindId, address)} -c ${shellWord(container)} --limits=${shellWord(`memory=${memory}`)}`,
  });
}

/** The facts for `setMemoryAction`: the memory limits of the containers, in the order of `imageFacts`. */
export const memoryFacts = (
  template: PodTemplate | undefined,
): { readonly memoryLimits: readonly string[] } => {
  const { containers = [], initContainers = [] } = template?.spec ?? {};
  return {
    memoryLimits: [...containers, ...initContainers].flatMap(({ name, resources }) =>
      name === undefined ? [] : [resources?.limits?.['memory'] ?? ''],
    ),
  };
};

/** A strategic merge of one container, or init container, of a pod template. Throws Problem 409 for one that is gone. */
function templatePatch(
  object: KubeObject & { spec?: { template?: PodTemplate } },
  name: string,
  change: { readonly name: string; readonly [part: string]: unknown },
) {
  const spec = object.spec?.template?.spec;
  const has = (list: readonly { name?: string }[] | undefined) =>
    list?.some((one) => one.name === change.name) === true;
  const part = has(spec?.containers) ? 'containers' : 'initContainers';
  if (!has(spec?.[part]))
    throw new Problem({ status: 409, title: `${name} has no container ${change.name}.` });
  return { spec: { template: { spec: { [part]: [change] } } } };
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
