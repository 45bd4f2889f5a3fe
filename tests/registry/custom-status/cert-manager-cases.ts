import { type CasesOfKinds, having, on } from './case.ts';

/** Objects of the kinds of cert-manager, with their expected health. */
export const certManagerCases: CasesOfKinds = {
  'cert-manager.io Certificate': [
    {
      is: 'valid',
      status: having(on('Ready', 'True', 'Ready', 'Certificate is up to date')),
      tone: 'ok',
      label: 'Ready',
    },
    {
      is: 'being issued for the first time',
      status: having(
        on('Issuing', 'True', 'DoesNotExist', 'Issuing certificate as Secret does not exist'),
        on('Ready', 'False', 'DoesNotExist', 'Issuing certificate as Secret does not exist'),
      ),
      tone: 'info',
      label: 'Issuing',
    },
    {
      is: 'not to be had',
      status: having(
        on('Issuing', 'False', 'Failed', 'order is in "invalid" state'),
        on('Ready', 'False', 'DoesNotExist', 'Issuing certificate as Secret does not exist'),
      ),
      tone: 'bad',
      label: 'Failed',
      message: 'order is in "invalid" state',
    },
    {
      is: 'valid, but its renewal failed',
      status: having(
        on('Ready', 'True', 'Ready'),
        on('Issuing', 'False', 'Failed', 'order is in "errored" state'),
      ),
      tone: 'warn',
      label: 'Failed',
      message: 'order is in "errored" state',
    },
    {
      is: 'valid and being renewed',
      status: having(on('Ready', 'True', 'Ready'), on('Issuing', 'True', 'Renewing')),
      tone: 'info',
      label: 'Issuing',
    },
  ],
  'cert-manager.io CertificateRequest': [
    {
      is: 'waiting for its order',
      status: having(
        on('Approved', 'True', 'cert-manager.io'),
        on('Ready', 'False', 'Pending', 'Waiting on certificate issuance'),
      ),
      tone: 'info',
      label: 'Pending',
    },
    {
      is: 'denied',
      status: having(
        on('Denied', 'True', 'policy.example.org', 'not allowed'),
        on('Ready', 'False', 'Denied'),
      ),
      tone: 'bad',
      label: 'Denied',
      message: 'not allowed',
    },
  ],
  'cert-manager.io ClusterIssuer': [
    {
      is: 'not registered',
      status: having(on('Ready', 'False', 'ErrRegisterACMEAccount', 'Failed to register ACME account')),
      tone: 'bad',
      label: 'ErrRegisterACMEAccount',
      message: 'Failed to register ACME account',
    },
  ],
  'acme.cert-manager.io Challenge': [
    {
      is: 'waiting for its check',
      isNew: true,
      status: { state: 'pending', reason: 'Waiting for HTTP-01 challenge propagation: wrong status code' },
      tone: 'info',
      label: 'pending',
    },
    {
      is: 'waiting for its check for long',
      status: { state: 'pending', reason: 'Waiting for HTTP-01 challenge propagation: wrong status code' },
      tone: 'warn',
      label: 'pending',
      message: 'Waiting for HTTP-01 challenge propagation: wrong status code',
    },
    {
      is: 'invalid',
      status: { state: 'invalid', reason: 'wrong key authorization file' },
      tone: 'bad',
      label: 'invalid',
      message: 'wrong key authorization file',
    },
    { is: 'valid', status: { state: 'valid' }, tone: 'ok', label: 'valid' },
  ],
};
