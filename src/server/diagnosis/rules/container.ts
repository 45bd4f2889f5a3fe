import { epochSeconds } from '../../../kube/age.ts';
import type { PodTemplate } from '../../../kube/apps.ts';
import type { Pod, Probe } from '../../../kube/core.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { type Clue, event, field, lastLines, rule } from '../rule.ts';
import { shortened } from '../shortened.ts';
import { warningsOf, type World } from '../world.ts';
import {
  type EndedContainer,
  endedContainer,
  isCommand,
  isDone,
  isHook,
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

/** The file that could not be executed, by the runtime's words; empty where they do not name it. */
function fileIn({ message }: EndedContainer): string {
  const file = /exec:? "([^"]{1,80})"|exec (\/\S{1,80}): /
    .exec(message)
    ?.slice(1)
    .find((one: string | undefined) => one !== undefined);
  return file === undefined ? '' : ` ${file}`;
}

/** The length of a container's last run, s; undefined where its status does not say. */
function lengthOfRun({ status }: EndedContainer): number | undefined {
  const { startedAt, finishedAt } = status?.lastState?.terminated ?? status?.state?.terminated ?? {};
  const [began, ended] = [epochSeconds(startedAt), epochSeconds(finishedAt)];
  return began === null || ended === null ? undefined : ended - began;
}

/** Seconds after which a kubelet notices that a probe has failed as often as it may. */
const probeGrace = 20;

/**
 * That a liveness probe ends each run as early as it may, before the program listens: a program that needs longer to
 * start never gets the time. Undefined where that is not so.
 */
function earlyKill(ended: EndedContainer): string | undefined {
  const { livenessProbe: probe, startupProbe } = ended.container ?? {};
  if (probe === undefined || startupProbe !== undefined) return undefined;
  if (!/connection refused/i.test(ended.probe?.message ?? '')) return undefined;
  const { initialDelaySeconds = 0, periodSeconds = 10, failureThreshold = 3 } = probe;
  const time = initialDelaySeconds + periodSeconds * failureThreshold;
  const run = lengthOfRun(ended);
  if (run === undefined || run > time + periodSeconds + probeGrace) return undefined;
  const port = probe.httpGet?.port ?? probe.tcpSocket?.port ?? '?';
  return `The liveness probe of container ${ended.name} ends it ${run} s after its start, before it listens on port ${port}: the probe allows ${time} s. Give it a startup probe if it needs longer.`;
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
        ? `The command${fileIn(ended)} of container ${ended.name} is built for another CPU architecture than that of its node.`
        : ended.code === 126 || /permission denied/i.test(ended.message)
          ? `The command${fileIn(ended)} of container ${ended.name} cannot be executed: its file is not executable.`
          : `The command${fileIn(ended)} of container ${ended.name} does not exist in its image.`,
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
    (ended) => !isOom(ended) && !isCommand(ended) && !isHook(ended) && isProbe(ended),
    (ended, pod, world) => {
      const isStartup = ended.probe?.message?.startsWith('Startup') === true;
      const probe = isStartup ? 'startupProbe' : 'livenessProbe';
      return {
        sentence:
          earlyKill(ended) ??
          `The ${isStartup ? 'startup' : 'liveness'} probe of container ${ended.name} fails, so the kubelet restarts the container${probeText(ended.probe?.message ?? '', ended.container?.[probe])}.`,
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
    'post-start',
    (ended) => isHook(ended),
    (ended, pod, world) => ({
      sentence: `The postStart hook of container ${ended.name} fails, so the kubelet ends the container: ${hookWords(ended.hook?.message ?? '')}.`,
      evidence: [
        ...(ended.hook === undefined ? [] : [event(pod, ended.hook)]),
        field(pod, `${ended.specPath}.lifecycle`),
        ...ended.proofs,
      ],
      actions: workloadRemedy(pod, world, 'rollback'),
    }),
  ),
  endRule(
    'ends-by-itself',
    (ended) => !isOom(ended) && !isProbe(ended) && !isHook(ended) && isDone(ended),
    (ended, pod) => ({
      sentence: `Container ${ended.name} finishes without an error, and its pod restarts it every time. Work that finishes belongs in a Job.`,
      evidence: [...ended.proofs, field(pod, 'spec.restartPolicy')],
    }),
  ),
];

/** How the kubelet says that a hook failed, in fewer words: its command, and what that said. */
const hookWords = (message: string): string =>
  shortened(
    message
      .trim()
      .replace(/^PostStartHook failed: /, '')
      .replace(/^Exec lifecycle hook \(.*?\) for Container "[^"]*" in Pod "[^"]*" failed - error: /s, '')
      .replace(/[.\s]+$/, ''),
    110,
    0.4,
  );

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
