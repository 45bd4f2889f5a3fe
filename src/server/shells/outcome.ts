import { Problem } from '../../contract/problem.ts';
import type { ShellEnd } from '../../contract/shell.ts';
import type { Status } from '../../kube/object.ts';
import { unreachedKubelet } from '../../kube/kubelet-error.ts';
import { cleanText } from '../../kube/text.ts';
import { type RecordingStop, recordingLimits } from '../recordings/recorder.ts';
import { quotaSentences } from '../recordings/recordings.ts';
import { PersonRefused } from '../clusters/acting.ts';
import { ClusterProblem } from '../clusters/transport.ts';

/** Why a terminal ended, in words. */
export interface ShellOutcome {
  readonly reason: ShellEnd;
  readonly title: string;
}

/** The outcome in the audit, as an HTTP status. */
export const auditStatus: Readonly<Record<ShellEnd, number>> = {
  exited: 200,
  'no-shell': 422,
  'not-running': 404,
  forbidden: 403,
  denied: 403,
  lost: 502,
  'passkey-needed': 403,
  refused: 400,
  recorded: 200,
  unrecorded: 503,
};

/** The subject of a terminal, for sentences. */
export interface ShellSubject {
  readonly namespace: string;
  readonly name: string;
  readonly container: string | undefined;
  /** Name of the cluster. */
  readonly cluster: string;
  readonly mode: 'exec' | 'attach';
}

const notRunning =
  /container not found|completed pod|does not have a host assigned|is not running|not created/i;
const notFound = /executable file not found|no such file or directory|OCI runtime exec failed/i;

const containerOf = ({ namespace, name, container }: ShellSubject) =>
  container === undefined ? `Pod ${namespace}/${name}` : `Container ${container} of pod ${namespace}/${name}`;

function exitCodeOf(status: Status): number | undefined {
  if (status.reason !== 'NonZeroExitCode') return undefined;
  const cause = status.details?.causes?.find(({ reason }) => reason === 'ExitCode');
  const code = Number(cause?.message);
  return Number.isInteger(code) ? code : undefined;
}

/**
 * Whether the program that was asked for is not in the image.
 * @param shown what came out before; some runtimes say it there
 */
export function isMissingProgram(status: Status, shown: string): boolean {
  const code = exitCodeOf(status);
  if (code === undefined) return status.status !== 'Success' && notFound.test(status.message ?? '');
  return (code === 126 || code === 127) && (shown === '' || notFound.test(shown));
}

/** The meaning of the status on the error channel: how the process ended. */
export function outcomeOfStatus(status: Status, subject: ShellSubject): ShellOutcome {
  const what = subject.mode === 'attach' ? 'The process' : 'The shell';
  if (status.status === 'Success') return { reason: 'exited', title: `${what} ended.` };
  const code = exitCodeOf(status);
  if (code !== undefined) {
    const why = code === 137 ? ': it was killed, or its container was stopped' : '';
    return { reason: 'exited', title: `${what} ended with code ${code}${why}.` };
  }
  const words = cleanText(status.message ?? '');
  if (notRunning.test(words))
    return { reason: 'not-running', title: `${containerOf(subject)} is not running.` };
  const unreached = unreachedKubelet(words);
  if (unreached !== undefined) return { reason: 'lost', title: unreached };
  return {
    reason: 'refused',
    title: `${subject.cluster} refuses: ${words === '' ? 'it gives no reason' : words}`,
  };
}

const restartAdvice = 'so the shell was ended. Start again to go on in another recording.';

/** How a shell ends whose recording cannot go on: it never goes on without one. */
export const outcomeOfRecording: Readonly<Record<RecordingStop, ShellOutcome>> = {
  large: {
    reason: 'recorded',
    title: `The recording of this shell has reached its maximum size (${recordingLimits.size / 1024 ** 2} MiB), ${restartAdvice}`,
  },
  long: {
    reason: 'recorded',
    title: `The recording of this shell has reached its maximum length (${recordingLimits.duration / 3_600_000} hours), ${restartAdvice}`,
  },
  'person-quota': { reason: 'recorded', title: quotaSentences['person-quota'] },
  'company-quota': { reason: 'recorded', title: quotaSentences['company-quota'] },
  unrecorded: {
    reason: 'unrecorded',
    title:
      'The recording of this shell cannot be stored, and shells here must be recorded. Try again; if the problem persists, tell the operator of this console.',
  },
};

/** The meaning of a failure to open the terminal. */
export function outcomeOfFailure(
  error: unknown,
  subject: ShellSubject,
  isOurs: (error: unknown) => void,
): ShellOutcome {
  if (!(error instanceof ClusterProblem)) {
    if (error instanceof Problem)
      return {
        reason: error.code === 'passkey-needed' ? 'passkey-needed' : 'refused',
        title: error.title,
      };
    isOurs(error);
    return {
      reason: 'lost',
      title:
        'This console failed to open the terminal. Try again; if it happens again, ask the operator, who finds the reason in its log.',
    };
  }
  const { status, body } = error.upstream;
  const words = cleanText(body?.message ?? error.title);
  if (status === undefined) return { reason: 'lost', title: error.title };
  if (notRunning.test(words))
    return { reason: 'not-running', title: `${containerOf(subject)} is not running.` };
  if (error instanceof PersonRefused) return { reason: 'forbidden', title: error.title };
  switch (status) {
    case 404:
      return {
        reason: 'not-running',
        title: `Pod ${subject.namespace}/${subject.name} was not found.`,
      };
    case 401:
    case 403:
      return {
        reason: 'forbidden',
        title: `This console's credential may not do this in ${subject.cluster}. Give it a role that may create pods/${subject.mode}.`,
      };
    default: {
      const unreached = unreachedKubelet(words);
      return unreached === undefined
        ? { reason: 'refused', title: `${subject.cluster} refuses: ${words}` }
        : { reason: 'lost', title: unreached };
    }
  }
}
