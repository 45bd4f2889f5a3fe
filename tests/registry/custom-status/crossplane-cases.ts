import { type CasesOfKinds, having, on } from './case.ts';

/** Objects of the kinds of Crossplane, with their expected health. */
export const crossplaneCases: CasesOfKinds = {
  'rds.aws.upbound.io Instance': [
    {
      is: 'there and in sync',
      status: having(on('Ready', 'True', 'Available'), on('Synced', 'True', 'ReconcileSuccess')),
      tone: 'ok',
      label: 'Ready',
    },
    {
      is: 'there, but changes fail',
      status: having(
        on('Ready', 'True', 'Available'),
        on('Synced', 'False', 'ReconcileError', 'AccessDenied'),
      ),
      tone: 'bad',
      label: 'ReconcileError',
      message: 'AccessDenied',
    },
    {
      is: 'being made',
      status: having(on('Ready', 'False', 'Creating'), on('Synced', 'True', 'ReconcileSuccess')),
      tone: 'info',
      label: 'Creating',
    },
    {
      is: 'not to be made',
      status: having(
        on('Synced', 'True', 'ReconcileSuccess'),
        on('LastAsyncOperation', 'False', 'AsyncCreateFailure', 'quota exceeded'),
        on('Ready', 'False', 'Creating'),
      ),
      tone: 'bad',
      label: 'AsyncCreateFailure',
      message: 'quota exceeded',
    },
    {
      is: 'paused by its annotation',
      annotations: { 'crossplane.io/paused': 'true' },
      status: having(on('Synced', 'False', 'ReconcilePaused')),
      tone: 'idle',
      label: 'Paused',
    },
    {
      is: 'unavailable',
      status: having(on('Ready', 'False', 'Unavailable'), on('Synced', 'True', 'ReconcileSuccess')),
      tone: 'bad',
      label: 'Unavailable',
    },
  ],
  'pkg.crossplane.io Provider': [
    {
      is: 'installed and well',
      status: having(
        on('Installed', 'True', 'ActivePackageRevision'),
        on('Healthy', 'True', 'HealthyPackageRevision'),
      ),
      tone: 'ok',
      label: 'Healthy',
    },
    {
      is: 'installed and not well',
      status: having(
        on('Installed', 'True', 'ActivePackageRevision'),
        on('Healthy', 'False', 'UnhealthyPackageRevision', 'cannot resolve package dependencies'),
      ),
      tone: 'bad',
      label: 'UnhealthyPackageRevision',
      message: 'cannot resolve package dependencies',
    },
    {
      is: 'being unpacked',
      status: having(on('Installed', 'False', 'UnpackingPackage', 'pulling image')),
      tone: 'info',
      label: 'UnpackingPackage',
    },
  ],
  'apiextensions.crossplane.io CompositeResourceDefinition': [
    {
      is: 'established, without claims',
      status: having(on('Established', 'True', 'WatchingCompositeResource')),
      tone: 'ok',
      label: 'Established',
    },
  ],
};
