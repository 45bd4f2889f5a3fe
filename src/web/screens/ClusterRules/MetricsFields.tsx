import { useId } from 'react';
import { Field, noteOf, TextField } from '../../kit/fields.tsx';
import { CheckLine, TextArea } from '../../kit/input.tsx';
import { Select } from '../../kit/Select.tsx';
import type { CredentialSort, MetricsDraft } from './metrics-draft.ts';

interface MetricsFieldsProps {
  readonly draft: MetricsDraft;
  /** Whether a credential is stored. */
  readonly hasCredential: boolean;
  /** What is wrong with a part of the source. @param path within it */
  readonly issue: (path: string) => string | undefined;
  readonly change: (changed: Partial<MetricsDraft>) => void;
}

/** The Service of a Prometheus in the cluster. */
export function ServiceFields({ draft, issue, change }: Omit<MetricsFieldsProps, 'hasCredential'>) {
  return (
    <>
      <p className="text-text-2">
        Queried through the API server with the console’s credential, which needs “get” on services/proxy in
        that namespace.
      </p>
      <TextField
        label="Namespace"
        required
        autoComplete="off"
        spellCheck={false}
        value={draft.namespace}
        placeholder="monitoring"
        error={issue('namespace')}
        onChange={({ target }) => change({ namespace: target.value })}
      />
      <TextField
        label="Service"
        required
        autoComplete="off"
        spellCheck={false}
        value={draft.service}
        placeholder="prometheus"
        error={issue('service')}
        onChange={({ target }) => change({ service: target.value })}
      />
      <TextField
        label="Port"
        required
        autoComplete="off"
        spellCheck={false}
        value={draft.port}
        error={issue('port')}
        help="Its number or name."
        onChange={({ target }) => change({ port: target.value })}
      />
      <CheckLine checked={draft.isTls} onChange={({ target }) => change({ isTls: target.checked })}>
        The port speaks TLS
      </CheckLine>
    </>
  );
}

/** The address of a Prometheus, and what it asks for. */
export function AddressFields({ draft, hasCredential, issue, change }: MetricsFieldsProps) {
  const ca = useId();
  const caError = issue('ca');
  const credentials: readonly { readonly value: CredentialSort; readonly label: string }[] = [
    { value: 'none', label: 'None' },
    ...(hasCredential ? [{ value: 'kept' as const, label: 'Stored credential' }] : []),
    { value: 'bearer', label: 'Bearer token' },
    { value: 'basic', label: 'User name and password' },
  ];
  const caHelp = 'Leave it empty to use the certificates that the console’s system trusts.';
  return (
    <>
      <TextField
        label="Address"
        required
        type="url"
        autoComplete="off"
        spellCheck={false}
        value={draft.url}
        placeholder="https://prometheus.example.org"
        error={issue('url')}
        help="https only. Include the path before /api. The same addresses are allowed as for clusters."
        onChange={({ target }) => change({ url: target.value })}
      />
      <Select
        label="Credential"
        options={credentials}
        value={draft.credential}
        error={issue('credential')}
        onChange={(value) =>
          change({ credential: credentials.find((one) => one.value === value)?.value ?? 'none' })
        }
      />
      {draft.credential === 'bearer' && (
        <TextField
          label="Token"
          required
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={draft.token}
          error={issue('credential.token')}
          help="Stored encrypted, sent only to this address, and never shown again."
          onChange={({ target }) => change({ token: target.value })}
        />
      )}
      {draft.credential === 'basic' && (
        <>
          <TextField
            label="User name"
            required
            autoComplete="off"
            spellCheck={false}
            value={draft.user}
            error={issue('credential.user')}
            onChange={({ target }) => change({ user: target.value })}
          />
          <TextField
            label="Password"
            required
            type="password"
            autoComplete="off"
            value={draft.password}
            error={issue('credential.password')}
            help="Stored encrypted, sent only to this address, and never shown again."
            onChange={({ target }) => change({ password: target.value })}
          />
        </>
      )}
      <Field id={ca} label="CA certificates" required={false} error={caError} help={caHelp}>
        <TextArea
          id={ca}
          rows={3}
          autoComplete="off"
          spellCheck={false}
          value={draft.ca}
          placeholder="-----BEGIN CERTIFICATE-----"
          isInvalid={caError !== undefined}
          aria-describedby={noteOf(ca, caError, caHelp)}
          onChange={({ target }) => change({ ca: target.value })}
        />
      </Field>
    </>
  );
}
