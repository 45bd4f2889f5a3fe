import type { Pod } from '../../../kube/core.ts';
import { type Clue, event, field, lastLines, rule } from '../rule.ts';
import { warningsOf, type World } from '../world.ts';
import {
  type EndedContainer,
  endedContainer,
  endText,
  isCommand,
  isDone,
  isOom,
  isProbe,
  ownEnd,
} from './ended-container.ts';
import { containerOf, troubleOf, workloadRemedy } from './pod-parts.ts';

const endRule = (
  id: string,
  fits: (ended: EndedContainer) => boolean,
  say: (ended: EndedContainer, pod: Pod, world: World) => Clue,
) =>
  rule<Pod>({
    id: `pod.${id}`,
    kind: 'Pod',
    tone: 'bad',
    sort: 'cause',
    find(pod, world) {
      const ended = endedContainer(pod, world);
      return ended === undefined || !fits(ended) ? undefined : say(ended, pod, world);
    },
  });

/** Why containers end. */
export const endRules = [
  endRule('out-of-memory', isOom, (ended, pod, world) => {
    const limit = ended.container?.resources?.limits?.['memory'];
    return {
      sentence:
        limit === undefined
          ? `Container ${ended.name} was killed because its node ran out of memory. The container has no memory limit.`
          : `Container ${ended.name} was killed for using more memory than its limit of ${limit}.`,
      evidence: [...ended.proofs, field(pod, `${ended.specPath}.resources.limits.memory`)],
      actions: [...workloadRemedy(pod, world, 'setMemory'), ...workloadRemedy(pod, world, 'rollback')],
    };
  }),
  endRule(
    'command',
    (ended) => !isOom(ended) && isCommand(ended),
    (ended, pod, world) => ({
      sentence:
        ended.code === 126 || /permission denied|exec format/i.test(ended.message)
          ? `The command of container ${ended.name} cannot be executed: it is not built for the CPU architecture of the node, or its file is not executable.`
          : `The command of container ${ended.name} does not exist in its image.`,
      evidence: [
        ...ended.proofs,
        field(pod, `${ended.specPath}.command`),
        field(pod, `${ended.specPath}.image`),
      ],
      actions: workloadRemedy(pod, world, 'rollback'),
    }),
  ),
  endRule(
    'probe-kills',
    (ended) => !isOom(ended) && !isCommand(ended) && isProbe(ended),
    (ended, pod, world) => {
      const isStartup = ended.probe?.message?.startsWith('Startup') === true;
      const probe = isStartup ? 'startupProbe' : 'livenessProbe';
      return {
        sentence: `The ${isStartup ? 'startup' : 'liveness'} probe of container ${ended.name} fails, so the kubelet restarts the container.`,
        evidence: [
          ...(ended.probe === undefined ? [] : [event(pod, ended.probe)]),
          field(pod, `${ended.specPath}.${probe}`),
          ...ended.proofs,
        ],
        actions: workloadRemedy(pod, world, 'rollback'),
      };
    },
  ),
  endRule(
    'ends-by-itself',
    (ended) => !isOom(ended) && !isProbe(ended) && isDone(ended),
    (ended, pod) => ({
      sentence: `Container ${ended.name} finishes without an error, and its pod restarts it every time. Work that finishes belongs in a Job.`,
      evidence: [...ended.proofs, field(pod, 'spec.restartPolicy')],
    }),
  ),
  rule<Pod>({
    id: 'pod.crash',
    kind: 'Pod',
    tone: 'bad',
    sort: 'cause',
    find(pod, world) {
      const own = ownEnd(pod, world);
      // What its log says is told by the rules about logs.
      if (own === undefined || own.reason !== undefined) return undefined;
      const { ended } = own;
      return {
        sentence: `The program in container ${ended.name} ${endText(ended.code)}: the last lines of its log may say why.`,
        evidence: ended.proofs,
        actions: workloadRemedy(pod, world, 'rollback'),
      };
    },
  }),
];

/** A readiness probe that fails. */
export const readinessRule = rule<Pod>({
  id: 'pod.readiness',
  kind: 'Pod',
  tone: 'bad',
  sort: 'cause',
  find(pod, world) {
    const trouble = troubleOf(pod, world);
    if (trouble?.cause !== 'unready') return undefined;
    const found = containerOf(pod, trouble.container);
    const said = warningsOf(world, pod).find(
      ({ reason, message = '' }) => reason === 'Unhealthy' && /^(Readiness|Startup) probe/.test(message),
    );
    if (said === undefined) return undefined;
    const { httpGet, tcpSocket } = found.container?.readinessProbe ?? {};
    const port = httpGet?.port ?? tcpSocket?.port;
    const ports = found.container?.ports ?? [];
    const isOtherPort =
      typeof port === 'number' &&
      ports.length > 0 &&
      ports.every(({ containerPort }) => containerPort !== port) &&
      /refused|timeout|dial/i.test(said.message ?? '');
    return {
      sentence: isOtherPort
        ? `The readiness probe of container ${found.name} checks port ${port}, but the container declares ${ports.map(({ containerPort }) => containerPort).join(', ')}.`
        : `The readiness probe of container ${found.name} fails, so the pod gets no traffic.`,
      evidence: [
        event(pod, said),
        field(pod, `${found.specPath}.readinessProbe`),
        ...(isOtherPort ? [field(pod, `${found.specPath}.ports`)] : []),
        lastLines(pod, found.name, false, undefined),
      ],
    };
  },
});
