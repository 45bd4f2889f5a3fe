import { declaredRef, existenceOf, object, objectText, refOf } from './named-object.ts';
import { tool } from './tool.ts';

/** Samples of an hour's usage that a model is told. */
const sampleLimit = 20;

export const usage = tool({
  name: 'usage',
  description: 'What a pod, a node, or the pods of a workload used of processor and memory in the last hour.',
  input: object,
  about: (named) => `Usage of ${objectText(named)}`,
  names: (named) => [refOf(named)],
  async run(named, parts) {
    const { calls, clusterId } = parts;
    const history = await calls.read('objectUsageHistory', {
      params: { clusterId, kind: named.kind },
      query: { namespace: named.namespace ?? '', name: named.name, seconds: '3600' },
    });
    const ref = await declaredRef(parts, named);
    const { status, message, cpu, memory, times } = history;
    const last = <T>(values: readonly T[]) => values.slice(-sampleLimit);
    return {
      summary: message ?? (status === 'answered' ? 'Measured.' : 'Nothing is measured.'),
      data: {
        status,
        message,
        times: last(times),
        cores: last(cpu),
        bytes: last(memory),
        note: times.length > sampleLimit ? `The last ${sampleLimit} of ${times.length} samples.` : undefined,
      },
      objects: [ref],
      evidence: [existenceOf(ref)],
    };
  },
});
