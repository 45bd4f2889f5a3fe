import { type CasesOfKinds, having, observed, on } from './case.ts';

/** Objects of the kinds of Flux, with their expected health. */
export const fluxCases: CasesOfKinds = {
  'kustomize.toolkit.fluxcd.io Kustomization': [
    {
      is: 'applied',
      status: {
        ...having(on('Ready', 'True', 'ReconciliationSucceeded', 'Applied revision: main@sha1:1234')),
        ...observed(2),
      },
      generation: 2,
      tone: 'ok',
      label: 'Ready',
    },
    {
      is: 'failing, and tried again',
      status: having(
        on('Reconciling', 'True', 'ProgressingWithRetry', 'Detecting drift'),
        on('Ready', 'False', 'BuildFailed', 'kustomization path not found'),
      ),
      tone: 'bad',
      label: 'BuildFailed',
      message: 'kustomization path not found',
    },
    {
      is: 'failing since it was changed: its controller observes only what it applied',
      status: {
        ...having(on('Ready', 'False', 'ArtifactFailed', 'GitRepository not found', observed(3))),
        ...observed(2),
      },
      generation: 3,
      tone: 'bad',
      label: 'ArtifactFailed',
      message: 'GitRepository not found',
    },
    {
      is: 'being applied',
      status: having(
        on('Reconciling', 'True', 'Progressing', 'Building manifests'),
        on('Ready', 'Unknown', 'Progressing', 'Reconciliation in progress'),
      ),
      tone: 'info',
      label: 'Reconciling',
    },
    {
      is: 'ready in an earlier version of its spec',
      status: { ...having(on('Ready', 'True', 'ReconciliationSucceeded')), ...observed(1) },
      generation: 2,
      tone: 'info',
      label: 'Progressing',
    },
    {
      is: 'waiting for another that is not ready',
      status: having(on('Ready', 'False', 'DependencyNotReady', "dependency 'infra/db' is not ready")),
      tone: 'warn',
      label: 'DependencyNotReady',
    },
    {
      is: 'suspended after it failed',
      spec: { suspend: true },
      status: having(on('Ready', 'False', 'BuildFailed')),
      tone: 'idle',
      label: 'Suspended',
    },
  ],
  'helm.toolkit.fluxcd.io HelmRelease': [
    {
      is: 'installed',
      status: having(on('Ready', 'True', 'InstallSucceeded'), on('Released', 'True', 'InstallSucceeded')),
      tone: 'ok',
      label: 'Ready',
    },
    {
      is: 'out of retries',
      status: having(
        on('Stalled', 'True', 'RetriesExceeded', 'Failed to upgrade after 3 attempt(s)'),
        on('Ready', 'False', 'UpgradeFailed', 'Helm upgrade failed: timed out'),
      ),
      tone: 'bad',
      label: 'RetriesExceeded',
      message: 'Failed to upgrade after 3 attempt(s)',
    },
    {
      is: 'ready with a test that failed and is ignored',
      status: having(on('Ready', 'True', 'TestFailed'), on('TestSuccess', 'False', 'TestFailed')),
      tone: 'warn',
      label: 'Ready',
    },
  ],
  'source.toolkit.fluxcd.io GitRepository': [
    {
      is: 'not reachable',
      status: having(
        on('FetchFailed', 'True', 'AuthenticationFailed', 'authentication required'),
        on('Ready', 'False', 'AuthenticationFailed', 'failed to checkout: authentication required'),
      ),
      tone: 'bad',
      label: 'AuthenticationFailed',
      message: 'failed to checkout: authentication required',
    },
  ],
};
