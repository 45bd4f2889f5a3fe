import { epochSeconds } from '../../kube/age.ts';
import { objectPath } from '../../kube/change.ts';
import { splitLogLine, withoutColours } from '../../kube/log-line.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import { redactText } from '../kit/redact-text.ts';
import type { LogLine, LogPlace } from './world.ts';

/** Lines of a log that are looked at, its characters at most, and how long it may take, ms. */
const lineLimit = 60;
const lengthLimit = 64 * 1024;
const patience = 5_000;

const podPlace = { group: '', version: 'v1', plural: 'pods', scope: 'Namespaced' } as const;

/**
 * Reads the last lines of a container, the oldest first. Undefined for a log that is gone or comes too late: it tells
 * nothing. Throws ClusterProblem, and what the signal says.
 */
export async function readLastLines(
  transport: Pick<Transport, 'stream'>,
  { pod, container, previous }: LogPlace,
  signal: AbortSignal,
): Promise<readonly LogLine[] | undefined> {
  const late = AbortSignal.timeout(patience);
  try {
    const answer = await transport.stream({
      path: objectPath({ ...podPlace, namespace: pod.namespace, name: pod.name }, 'log'),
      query: {
        container,
        previous: previous || undefined,
        timestamps: true,
        tailLines: lineLimit,
        limitBytes: lengthLimit,
      },
      signal: AbortSignal.any([signal, late]),
    });
    const lines: LogLine[] = [];
    let length = 0;
    for await (const text of answer.lines) {
      lines.push(lineOf(text));
      length += text.length;
      if (lines.length >= lineLimit || length >= lengthLimit) break;
    }
    answer.close();
    return lines;
  } catch (error) {
    if (late.aborted && !signal.aborted) return undefined;
    if (error instanceof ClusterProblem && error.upstream.status === 400) return undefined;
    throw error;
  }
}

/** A line as the API server writes it with timestamps. */
function lineOf(line: string): LogLine {
  const [time, text] = splitLogLine(line);
  return { at: epochSeconds(time), text: redactText(withoutColours(text)) };
}
