import type { MetricsSource, MetricsSourceChange } from '../../../contract/metrics-source.ts';

/** How a Prometheus at an address is to know the console. */
export type CredentialSort = 'none' | 'kept' | 'bearer' | 'basic';

/** A source of metrics as it is typed. */
export interface MetricsDraft {
  readonly from: MetricsSource['from'];
  readonly service: string;
  readonly port: string;
  readonly namespace: string;
  readonly isTls: boolean;
  readonly url: string;
  readonly ca: string;
  /** `name=value`, or empty. */
  readonly label: string;
  readonly credential: CredentialSort;
  readonly token: string;
  readonly user: string;
  readonly password: string;
}

const emptyDraft: MetricsDraft = {
  from: 'metrics.k8s.io',
  service: '',
  port: '9090',
  namespace: '',
  isTls: false,
  url: '',
  ca: '',
  label: '',
  credential: 'none',
  token: '',
  user: '',
  password: '',
};

const labelText = (label: { readonly name: string; readonly value: string } | null) =>
  label === null ? '' : `${label.name}=${label.value}`;

/** The form of a source that is stored. */
export function draftOf(source: MetricsSource): MetricsDraft {
  if (source.from === 'metrics.k8s.io') return emptyDraft;
  const label = labelText(source.label);
  return source.from === 'service'
    ? { ...emptyDraft, ...source, label }
    : {
        ...emptyDraft,
        from: source.from,
        url: source.url,
        ca: source.ca,
        label,
        credential: source.credential.sort,
      };
}

/** What is typed, as it is sent; the server judges it. */
export function changeOf(draft: MetricsDraft): MetricsSourceChange {
  if (draft.from === 'metrics.k8s.io') return { from: draft.from };
  const [name = '', ...value] = draft.label.trim().split('=');
  const label = draft.label.trim() === '' ? null : { name: name.trim(), value: value.join('=').trim() };
  if (draft.from === 'service')
    return {
      from: draft.from,
      service: draft.service.trim(),
      port: draft.port.trim(),
      namespace: draft.namespace.trim(),
      isTls: draft.isTls,
      label,
    };
  return {
    from: draft.from,
    url: draft.url.trim(),
    ca: draft.ca.trim(),
    label,
    credential: credentialOf(draft),
  };
}

function credentialOf({
  credential,
  token,
  user,
  password,
}: MetricsDraft): Extract<MetricsSourceChange, { from: 'url' }>['credential'] {
  if (credential === 'bearer') return { sort: credential, token: token.trim() };
  if (credential === 'basic') return { sort: credential, user: user.trim(), password };
  // How it is sent is stored with it.
  return credential === 'kept' ? { sort: credential, as: 'bearer' } : { sort: credential };
}

/** Why a draft cannot be sent yet, or need not be; undefined where it can. */
export function reasonAgainst(draft: MetricsDraft, saved: MetricsSource): string | undefined {
  if (
    draft.from === 'service' &&
    [draft.namespace, draft.service, draft.port].some((one) => one.trim() === '')
  )
    return 'Enter namespace, Service and port first.';
  if (draft.from === 'url' && draft.url.trim() === '') return 'Enter the address first.';
  return JSON.stringify(draft) === JSON.stringify(draftOf(saved)) ? 'Nothing is changed.' : undefined;
}
