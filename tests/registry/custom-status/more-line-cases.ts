import { type CasesOfKinds, having, on } from './case.ts';

const addresses = ['IPsTotal', 'IPsAvailable', 'IPsUsed'].map((type) =>
  on(`cilium.io/${type}`, 'Unknown', 'noreason', '250'),
);

/** More objects of kinds that one line describes, as their controllers write them, with their expected health. */
export const moreLineCases: CasesOfKinds = {
  'longhorn.io BackupTarget': [
    {
      is: 'not set up, as after every installation',
      spec: { backupTargetURL: '' },
      status: {
        available: false,
        ...having(on('Unavailable', 'True', 'Unavailable', 'backup target URL is empty')),
      },
      tone: 'idle',
      label: 'Not set up',
    },
    {
      is: 'out of reach',
      spec: { backupTargetURL: 's3://backups@eu/' },
      status: { available: false, ...having(on('Unavailable', 'True', 'Unavailable', 'access denied')) },
      tone: 'bad',
      label: 'Unavailable',
      message: 'access denied',
    },
  ],
  'velero.io DataDownload': [
    { is: 'taken by a node', status: { phase: 'Accepted' }, tone: 'info', label: 'Accepted' },
    { is: 'ended', status: { phase: 'Completed' }, tone: 'ok', label: 'Completed' },
  ],
  'velero.io DeleteBackupRequest': [
    {
      is: 'processed with an error',
      status: { phase: 'Processed', errors: ['backup not found'] },
      tone: 'warn',
      label: 'Error',
      message: 'backup not found',
    },
    { is: 'processed', status: { phase: 'Processed', errors: [] }, tone: 'ok', label: 'Processed' },
  ],
  'cilium.io CiliumLoadBalancerIPPool': [
    {
      is: 'without a conflict',
      status: having(on('cilium.io/PoolConflict', 'False', 'resolved'), ...addresses),
      tone: 'ok',
      label: 'OK',
    },
    {
      is: 'in conflict with another',
      status: having(on('cilium.io/PoolConflict', 'True', 'cidr_overlap', 'It overlaps.'), ...addresses),
      tone: 'bad',
      label: 'PoolConflict',
      message: 'It overlaps.',
    },
  ],
  'management.cattle.io Cluster': [
    {
      is: 'past every stage',
      status: having(
        ...['Pending', 'Waiting', 'Provisioned', 'Connected', 'Ready'].map((type) => on(type, 'True')),
      ),
      tone: 'ok',
      label: 'Ready',
    },
  ],
  'core.oam.dev Application': [
    { is: 'running', status: { status: 'running' }, tone: 'ok', label: 'running' },
    { is: 'being deployed', status: { status: 'runningWorkflow' }, tone: 'info', label: 'runningWorkflow' },
    {
      is: 'held by a person',
      status: { status: 'workflowSuspending' },
      tone: 'idle',
      label: 'workflowSuspending',
    },
    {
      is: 'ended before its end',
      status: { status: 'workflowTerminated' },
      tone: 'warn',
      label: 'workflowTerminated',
    },
    { is: 'failed', status: { status: 'workflowFailed' }, tone: 'bad', label: 'workflowFailed' },
  ],
  'scheduling.volcano.sh Queue': [
    { is: 'open', status: { state: 'Open' }, tone: 'ok', label: 'Open' },
    { is: 'closed', status: { state: 'Closed' }, tone: 'idle', label: 'Closed' },
  ],
  'sparkoperator.k8s.io ScheduledSparkApplication': [
    { is: 'in force', status: { scheduleState: 'Scheduled' }, tone: 'ok', label: 'Scheduled' },
    {
      is: 'refused',
      status: { scheduleState: 'FailedValidation', reason: 'bad cron' },
      tone: 'bad',
      label: 'FailedValidation',
    },
  ],
  'openebs.io DiskPool': [
    { is: 'online', status: { cr_state: 'Created', pool_status: 'Online' }, tone: 'ok', label: 'Online' },
    {
      is: 'out of reach',
      status: { cr_state: 'Created', pool_status: 'Unknown' },
      tone: 'warn',
      label: 'Unknown',
    },
    { is: 'broken', status: { cr_state: 'Created', pool_status: 'Faulted' }, tone: 'bad', label: 'Faulted' },
  ],
  'kubevirt.io VirtualMachineInstance': [
    {
      is: 'shut down by its guest',
      status: { phase: 'Succeeded', ...having(on('Ready', 'False', 'PodTerminating')) },
      tone: 'info',
      label: 'PodTerminating',
    },
  ],
};
