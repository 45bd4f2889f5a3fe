import { objectTool } from './tool-of-object.ts';

/** Samples of an hour's usage that a model is told. */
const sampleLimit = 20;

export const usage = objectTool({
  name: 'usage',
  description: 'What a pod, a node, or the pods of a workload used of CPU and memory in the last hour.',
  about: (text) => `Usage of ${text}`,
  async run(named, { calls, clusterId }) {
    const history = await calls.read('objectUsageHistory', {
      params: { clusterId, kind: named.kind },
      query: { namespace: named.namespace ?? '', name: named.name, seconds: '3600' },
    });
    const { status, message, cpu, memory, times } = history;
    const last = <T>(values: readonly T[]) => values.slice(-sampleLimit);
    return {
      summary: message ?? (status === 'answered' ? 'Measured.' : 'No usage is measured.'),
      data: {
        status,
        message,
        times: last(times),
        cores: last(cpu),
        bytes: last(memory),
        note: times.length > sampleLimit ? `The last ${sampleLimit} of ${times.length} samples.` : undefined,
      },
    };
  },
});
