import type { Pod } from '../../src/kube/core.ts';
import { podHealth } from '../../src/kube/pod-status.ts';
import { defineKind, type Tone } from '../../src/registry/kind.ts';

const badReasons =
  /^(Init:)?(CrashLoopBackOff|ImagePullBackOff|ErrImagePull|InvalidImageName|ErrImageNeverPull|CreateContainerConfigError|CreateContainerError|RunContainerError|OOMKilled|Error|ContainerCannotRun|DeadlineExceeded|StartError|ExitCode:.*|Signal:.*)$/;

function tone(pod: Pod, reason: string, ready: number, total: number): Tone {
  if (badReasons.test(reason) || reason === 'Failed' || reason === 'Evicted') return 'bad';
  if (reason === 'Unknown' || reason === 'NodeLost' || reason === 'NotReady') return 'warn';
  if (reason === 'Completed' || reason === 'Succeeded') return 'idle';
  if (reason === 'Terminating') return 'info';
  if (reason === 'Running') return ready < total ? 'warn' : 'ok';
  if (reason === 'Pending') {
    const unschedulable = pod.status?.conditions?.some(
      (c) => c.type === 'PodScheduled' && c.status === 'False',
    );
    return unschedulable === true ? 'warn' : 'info';
  }
  return reason === 'SchedulingGated' ? 'idle' : 'info';
}

export const pod = defineKind<Pod>({
  id: 'pod',
  kind: 'Pod',
  group: '',
  version: 'v1',
  plural: 'pods',
  scope: 'Namespaced',
  aliases: ['po', 'pods'],
  title: 'Pods',
  permissions: { view: 'pods.view', manage: 'pods.manage' },
  paths: {
    list: '/clusters/:clusterId/pods',
    detail: ['/clusters/:clusterId/namespaces/:namespaceName/pods/:podName'],
  },
  sidebar: { section: 'Resources', order: 30, icon: 'pod' },
  status: (object) => {
    const { reason, ready, total } = podHealth(object);
    return { label: reason, tone: tone(object, reason, ready, total) };
  },
  columns: [
    'namespace',
    'name',
    {
      id: 'ready',
      label: 'Ready',
      format: 'ratio',
      value: (object) => {
        const { ready, total } = podHealth(object);
        return `${ready}/${total}`;
      },
    },
    'status',
    {
      id: 'restarts',
      label: 'Restarts',
      format: 'restarts',
      dropAt: 2,
      value: (object) => {
        const { restarts, lastRestart } = podHealth(object);
        return [restarts, lastRestart === undefined ? null : Math.floor(Date.parse(lastRestart) / 1000)];
      },
    },
    {
      id: 'node',
      label: 'Node',
      format: 'text',
      dropAt: 3,
      value: (object) => object.spec?.nodeName ?? null,
    },
    {
      id: 'ip',
      label: 'IP',
      format: 'mono',
      wide: true,
      dropAt: 4,
      value: (object) => object.status?.podIP ?? null,
    },
    'age',
  ],
});
