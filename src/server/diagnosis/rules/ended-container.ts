import type { Pod } from '../../../kube/core.ts';
import type { KubeEvent } from '../../../kube/infrastructure.ts';
import { field, lastLines, logLine, type Proof } from '../rule.ts';
import { shortened } from '../shortened.ts';
import { type LogLine, type LogPlace, nameOf, warningsOf, type World } from '../world.ts';
import { type LogReason, type ReasonId, reasonOf } from './log-reasons.ts';
import { mixedMount } from './mount-type.ts';
import { containerOf, type NamedContainer, troubleOf } from './pod-parts.ts';

/** A container that keeps ending, with its last end. */
export interface EndedContainer extends NamedContainer {
  readonly code: number | undefined;
  readonly reason: string;
  readonly message: string;
  readonly restarts: number;
  /** The failed probe that ended it, if one did. */
  readonly probe: KubeEvent | undefined;
  /** The failed postStart hook that ended it, if one did. */
  readonly hook: KubeEvent | undefined;
  /** Its exit, and its log. */
  readonly proofs: readonly Proof[];
  readonly log: LogPlace;
}

/** The end of a run by which a probe's kill shows: the signals that a kubelet sends. */
const killCodes: ReadonlySet<number | undefined> = new Set([137, 143, 2]);

/** The container of a pod that keeps ending; undefined for a pod of which none does. */
export function endedContainer(pod: Pod, world: World): EndedContainer | undefined {
  const trouble = troubleOf(pod, world);
  const isRunEnded = trouble?.cause === 'failed' && pod.status?.reason === undefined;
  if (trouble?.cause !== 'crash-loop' && trouble?.cause !== 'oom' && !isRunEnded) return undefined;
  if (trouble.container === undefined) return undefined;
  const found = containerOf(pod, trouble.container);
  const isPrevious = found.status?.state?.terminated === undefined;
  const ended = found.status?.state?.terminated ?? found.status?.lastState?.terminated;
  const path = `${found.statusPath}.${isPrevious ? 'lastState' : 'state'}.terminated`;
  const isAbout = ({ involvedObject }: KubeEvent) =>
    involvedObject?.fieldPath === undefined || involvedObject.fieldPath.includes(`{${found.name}}`);
  const warnings = warningsOf(world, pod).filter(isAbout);
  const probe = warnings.find(
    ({ reason, message = '' }) => reason === 'Unhealthy' && /^(Liveness|Startup) probe/.test(message),
  );
  const hasHook = found.container?.lifecycle?.postStart !== undefined;
  return {
    ...found,
    code: ended?.exitCode,
    reason: ended?.reason ?? '',
    message: ended?.message ?? '',
    restarts: trouble.restarts,
    probe: killCodes.has(ended?.exitCode) && ended?.reason !== 'OOMKilled' ? probe : undefined,
    hook:
      hasHook && killCodes.has(ended?.exitCode)
        ? warnings.find(({ reason }) => reason === 'FailedPostStartHook')
        : undefined,
    log: { pod: nameOf(pod), container: found.name, previous: isPrevious },
    proofs: [
      field(pod, `${path}.exitCode`),
      field(pod, `${path}.reason`),
      ...(ended?.message === undefined ? [] : [field(pod, `${path}.message`)]),
      lastLines(pod, found.name, isPrevious, ended?.finishedAt),
    ],
  };
}

/** Whether the kernel killed it for its memory. */
export const isOom = ({ reason }: EndedContainer) => reason === 'OOMKilled';
/** Whether its command could not be executed. */
export const isCommand = ({ code, reason, message }: EndedContainer) =>
  code === 127 ||
  code === 126 ||
  ((code === 128 || /StartError|ContainerCannotRun/.test(reason)) &&
    /executable file not found|exec.*(?:no such file|permission denied)|exec format/is.test(message) &&
    !/error mounting/.test(message));
/** Whether a probe had it killed. */
export const isProbe = ({ probe }: EndedContainer) => probe !== undefined;
/** Whether the kubelet ended it for its postStart hook. */
export const isHook = ({ hook, reason }: EndedContainer) => hook !== undefined && reason !== 'OOMKilled';
/** Whether it ended without an error. */
export const isDone = ({ code }: EndedContainer) => code === 0;

/** Signals that end programs, by the exit code that they leave. */
const signals: ReadonlyMap<number | undefined, string> = new Map([
  [132, 'SIGILL'],
  [134, 'SIGABRT'],
  [135, 'SIGBUS'],
  [136, 'SIGFPE'],
  [137, 'SIGKILL'],
  [139, 'SIGSEGV'],
  [143, 'SIGTERM'],
]);

/** How a program ended, as a sentence tells it. */
export function endText(code: number | undefined): string {
  const signal = signals.get(code);
  return signal === undefined
    ? `ends with exit code ${code ?? '?'}`
    : `is ended by ${signal} (exit code ${code})`;
}

/** The reason of the end by the runtime, or by the program's termination message; undefined without either. */
export function endWords({ name, code, reason, message }: EndedContainer): string | undefined {
  const words = message
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '');
  if (reason === 'ContainerStatusUnknown')
    return `Container ${name} ended, and its node lost track of it: ${words || 'it does not say why'}`;
  if (words === '') return undefined;
  return /StartError|ContainerCannotRun/.test(reason)
    ? `The runtime cannot start container ${name}: ${words}`
    : `The program in container ${name} ${endText(code)}: “${shortened(words, 120)}”`;
}

/** A container whose log is read, with what its last lines say of why it ended or is not ready. */
export interface SpeakingContainer {
  readonly found: NamedContainer;
  /** Its last end; undefined for one that runs and is not ready. */
  readonly ended: EndedContainer | undefined;
  readonly log: LogPlace;
  readonly lines: readonly LogLine[];
  readonly reason: LogReason | undefined;
}

/**
 * The container of a pod that its program ends with an error of its own, or that runs and is not ready; undefined where
 * something else ends it.
 */
export function speakingContainer(pod: Pod, world: World): SpeakingContainer | undefined {
  const ended = endedContainer(pod, world);
  if (ended !== undefined) {
    if ([isOom, isCommand, isHook, isProbe, isDone].some((is) => is(ended))) return undefined;
    if (mixedMount(pod) !== undefined) return undefined;
    return speaking(ended, ended, ended.log, world);
  }
  const trouble = troubleOf(pod, world);
  if (trouble?.cause !== 'unready' || trouble.container === undefined) return undefined;
  const found = containerOf(pod, trouble.container);
  return speaking(found, undefined, { pod: nameOf(pod), container: found.name, previous: false }, world);
}

/** The container of a pod whose log gives this reason, with the line that gives it; undefined where none does. */
export function containerSaying(
  id: ReasonId,
  pod: Pod,
  world: World,
): { readonly speaker: SpeakingContainer; readonly reason: LogReason; readonly line: Proof } | undefined {
  const speaker = speakingContainer(pod, world);
  const reason = speaker?.reason;
  if (speaker === undefined || reason?.id !== id) return undefined;
  const { container, previous } = speaker.log;
  return { speaker, reason, line: logLine(pod, { container, previous, ...reason.line }) };
}

function speaking(
  found: NamedContainer,
  ended: EndedContainer | undefined,
  log: LogPlace,
  world: World,
): SpeakingContainer {
  const lines = world.log(log) ?? [];
  const reason = reasonOf(lines, ended === undefined);
  // A variable with a value is not the missing one.
  const isSet = (found.container?.env ?? []).some(
    ({ name, value = '' }) => reason?.id === 'variable' && name === reason.named && value !== '',
  );
  return { found, ended, log, lines, reason: isSet ? undefined : reason };
}
