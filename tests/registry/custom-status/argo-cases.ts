import { type CasesOfKinds, having, on } from './case.ts';

/** Objects of the kinds of Argo, with their expected health. */
export const argoCases: CasesOfKinds = {
  'argoproj.io Application': [
    {
      is: 'in sync and well',
      status: {
        health: { status: 'Healthy' },
        sync: { status: 'Synced' },
        operationState: { phase: 'Succeeded' },
      },
      tone: 'ok',
      label: 'Healthy',
    },
    {
      is: 'degraded, with what its resources say',
      status: { health: { status: 'Degraded', message: 'web: crash loop' }, sync: { status: 'Synced' } },
      tone: 'bad',
      label: 'Degraded',
      message: 'web: crash loop',
    },
    {
      is: 'well, but not what the repository says',
      status: { health: { status: 'Healthy' }, sync: { status: 'OutOfSync' } },
      tone: 'warn',
      label: 'OutOfSync',
    },
    {
      is: 'missing its resources',
      status: { health: { status: 'Missing' }, sync: { status: 'OutOfSync' } },
      tone: 'warn',
      label: 'Missing',
    },
    {
      is: 'suspended',
      status: { health: { status: 'Suspended' }, sync: { status: 'Synced' } },
      tone: 'idle',
      label: 'Suspended',
    },
    {
      is: 'progressing',
      status: { health: { status: 'Progressing' }, sync: { status: 'Synced' } },
      tone: 'info',
      label: 'Progressing',
    },
    {
      is: 'not synced because the sync failed',
      status: {
        health: { status: 'Healthy' },
        sync: { status: 'OutOfSync' },
        operationState: { phase: 'Failed', message: 'one or more objects failed to apply' },
      },
      tone: 'bad',
      label: 'Failed',
      message: 'one or more objects failed to apply',
    },
    {
      is: 'in sync after a sync that failed',
      status: {
        health: { status: 'Healthy' },
        sync: { status: 'Synced' },
        operationState: { phase: 'Failed', message: 'timed out' },
      },
      tone: 'ok',
      label: 'Healthy',
    },
    {
      is: 'not comparable: its conditions have no status',
      status: {
        health: { status: 'Healthy' },
        sync: { status: 'Unknown' },
        conditions: [on('ComparisonError', undefined, undefined, 'repository not accessible')],
      },
      tone: 'bad',
      label: 'ComparisonError',
      message: 'repository not accessible',
    },
  ],
  'argoproj.io ApplicationSet': [
    {
      is: 'up to date',
      status: having(
        on('ErrorOccurred', 'False', 'ApplicationSetUpToDate'),
        on('ParametersGenerated', 'True', 'ParametersGenerated'),
        on('ResourcesUpToDate', 'True', 'ApplicationSetUpToDate'),
      ),
      tone: 'ok',
      label: 'ResourcesUpToDate',
    },
    {
      is: 'not able to generate',
      status: having(
        on('ErrorOccurred', 'True', 'ApplicationGenerationFromParamsError', 'failed to execute template'),
        on('ParametersGenerated', 'True', 'ParametersGenerated'),
        on('ResourcesUpToDate', 'False', 'RenderTemplateParamsError'),
      ),
      tone: 'bad',
      label: 'ApplicationGenerationFromParamsError',
      message: 'failed to execute template',
    },
  ],
  'argoproj.io Rollout': [
    {
      is: 'well',
      status: { phase: 'Healthy', observedGeneration: '2' },
      generation: 2,
      tone: 'ok',
      label: 'Healthy',
    },
    {
      is: 'waiting for somebody at a step',
      status: {
        phase: 'Paused',
        message: 'CanaryPauseStep',
        conditions: [on('Available', 'False', 'AvailableReason')],
      },
      tone: 'idle',
      label: 'Paused',
      message: 'CanaryPauseStep',
    },
    {
      is: 'aborted',
      status: { phase: 'Degraded', message: 'RolloutAborted: metric "success" assessed Failed' },
      tone: 'bad',
      label: 'Degraded',
      message: 'RolloutAborted: metric "success" assessed Failed',
    },
    {
      is: 'well in an earlier version of its spec',
      status: { phase: 'Healthy', observedGeneration: '1' },
      generation: 2,
      tone: 'info',
      label: 'Progressing',
    },
  ],
  'argoproj.io Workflow': [
    {
      is: 'running',
      status: { phase: 'Running', conditions: [on('PodRunning', 'True')] },
      tone: 'info',
      label: 'Running',
    },
    {
      is: 'done',
      status: { phase: 'Succeeded', conditions: [on('PodRunning', 'False'), on('Completed', 'True')] },
      tone: 'ok',
      label: 'Succeeded',
    },
    {
      is: 'failed',
      status: { phase: 'Failed', message: 'child failed' },
      tone: 'bad',
      label: 'Failed',
      message: 'child failed',
    },
  ],
};
