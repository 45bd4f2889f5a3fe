import type { PodTemplate } from '../../../kube/apps.ts';
import type { Pod, Probe } from '../../../kube/core.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { type Clue, event, field, lastLines, rule } from '../rule.ts';
import { warningsOf, type World } from '../world.ts';
import {
  type EndedContainer,
  endedContainer,
  isCommand,
  isDone,
  isOom,
  isProbe,
  speakingContainer,
} from './ended-container.ts';
import { containerOf, troubleOf, workloadOf, workloadRemedy } from './pod-parts.ts';

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

/** A limit range, as far as it gives limits. */
interface LimitRange extends KubeObject {
  readonly spec?: {
    readonly limits?: readonly {
      readonly type?: string;
      readonly default?: Readonly<Record<string, string>>;
    }[];
  };
}

/** The limit range that gave a container its memory limit; undefined where its workload names one. */
function givenLimit(pod: Pod, container: string, limit: string, world: World): LimitRange | undefined {
  const workload = workloadOf(pod, world);
  const found: (KubeObject & { readonly spec?: { template?: PodTemplate } }) | null | undefined =
    workload && world.one(workload);
  const own = found?.spec?.template?.spec?.containers?.find(({ name }) => name === container);
  if (own === undefined || own.resources?.limits?.['memory'] !== undefined) return undefined;
  const ranges =
    world.all({ apiVersion: 'v1', kind: 'LimitRange', namespace: pod.metadata?.namespace }) ?? [];
  return ranges.find(({ spec }: LimitRange) =>
    spec?.limits?.some((one) => one.type === 'Container' && one.default?.['memory'] === limit),
  );
}

/** Why containers end. */
export const endRules = [
  endRule('out-of-memory', isOom, (ended, pod, world) => {
    const limit = ended.container?.resources?.limits?.['memory'];
    const given = limit === undefined ? undefined : givenLimit(pod, ended.name, limit, world);
    return {
      sentence:
        limit === undefined
          ? `Container ${ended.name} was killed because its node ran out of memory. The container has no memory limit.`
          : `Container ${ended.name} was killed for using more memory than its limit of ${limit}${given === undefined ? '' : `, which limit range ${given.metadata?.name ?? ''} gives to containers without one`}.`,
      evidence: [
        ...ended.proofs,
        field(pod, `${ended.specPath}.resources.limits.memory`),
        ...(given === undefined ? [] : [field(given, 'spec.limits')]),
      ],
      actions: [...workloadRemedy(pod, world, 'setMemory'), ...workloadRemedy(pod, world, 'rollback')],
    };
  }),
  endRule(
    'command',
    (ended) => !isOom(ended) && isCommand(ended),
    (ended, pod, world) => ({
      sentence: /exec format/i.test(ended.message)
        ? `The command of container ${ended.name} is built for another CPU architecture than that of its node.`
        : ended.code === 126 || /permission denied/i.test(ended.message)
          ? `The command of container ${ended.name} cannot be executed: its file is not executable.`
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
        sentence: `The ${isStartup ? 'startup' : 'liveness'} probe of container ${ended.name} fails, so the kubelet restarts the container${probeText(ended.probe?.message ?? '', ended.container?.[probe])}.`,
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
];

/** How the kubelet says that a probe failed, in words; empty where it says nothing more. */
function probeText(message: string, probe: Probe | undefined): string {
  const { httpGet, tcpSocket, timeoutSeconds = 1 } = probe ?? {};
  const place =
    httpGet === undefined
      ? `port ${tcpSocket?.port ?? '?'}`
      : `${httpGet.path ?? '/'} on port ${httpGet.port ?? '?'}`;
  const code = /statuscode: (\d+)/.exec(message)?.[1];
  if (code !== undefined) return `: ${place} answers with status ${code}`;
  if (/connection refused/i.test(message))
    return `: nothing listens on port ${httpGet?.port ?? tcpSocket?.port ?? '?'}`;
  if (/Client\.Timeout|deadline exceeded|timed out|i\/o timeout/i.test(message))
    return `: it gets no answer within its time-out of ${timeoutSeconds} s`;
  const said = /probe (?:failed|errored)[^:]*: (.+)$/s.exec(message)?.[1]?.trim().split('\n').at(-1) ?? '';
  return said === '' ? '' : `: ${said.slice(0, 100).replace(/\.$/, '')}`;
}

const readinessOf = (pod: Pod, world: World) => {
  const trouble = troubleOf(pod, world);
  if (trouble?.cause !== 'unready') return undefined;
  const found = containerOf(pod, trouble.container);
  const said = warningsOf(world, pod).find(
    ({ reason, message = '' }) => reason === 'Unhealthy' && /^(Readiness|Startup) probe/.test(message),
  );
  if (said === undefined) return undefined;
  const isStartup = said.message?.startsWith('Startup') === true;
  const key = isStartup ? 'startupProbe' : 'readinessProbe';
  const probe = found.container?.[key];
  const port = probe?.httpGet?.port ?? probe?.tcpSocket?.port;
  const ports = found.container?.ports ?? [];
  const isOtherPort =
    typeof port === 'number' &&
    ports.length > 0 &&
    ports.every(({ containerPort }) => containerPort !== port) &&
    /refused|timeout|dial/i.test(said.message ?? '');
  return { found, said, key, probe, port, ports, isOtherPort };
};

/** Readiness probes that fail. */
export const readinessRules = [
  rule<Pod>({
    id: 'pod.readiness-port',
    kind: 'Pod',
    tone: 'bad',
    sort: 'cause',
    find(pod, world) {
      const failed = readinessOf(pod, world);
      if (failed?.isOtherPort !== true) return undefined;
      const { found, said, key, port, ports } = failed;
      return {
        sentence: `The ${key === 'startupProbe' ? 'startup' : 'readiness'} probe of container ${found.name} checks port ${port}, but the container declares ${ports.map(({ containerPort }) => containerPort).join(', ')}.`,
        evidence: [
          event(pod, said),
          field(pod, `${found.specPath}.${key}`),
          field(pod, `${found.specPath}.ports`),
        ],
      };
    },
  }),
  rule<Pod>({
    id: 'pod.readiness',
    kind: 'Pod',
    tone: 'bad',
    // Its log, where it says why it is not ready, says more.
    sort: 'symptom',
    find(pod, world) {
      const failed = readinessOf(pod, world);
      // The rules about logs say more.
      if (failed === undefined || failed.isOtherPort || speakingContainer(pod, world)?.reason !== undefined)
        return undefined;
      const { found, said, key, probe } = failed;
      return {
        sentence: `The ${key === 'startupProbe' ? 'startup' : 'readiness'} probe of container ${found.name} fails, so the pod gets no traffic${probeText(said.message ?? '', probe)}.`,
        evidence: [
          event(pod, said),
          field(pod, `${found.specPath}.${key}`),
          lastLines(pod, found.name, false, undefined),
        ],
      };
    },
  }),
];
