import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import type { ManifestCheck, NamedManifest } from '../../../contract/manifests.ts';
import type { Lack } from '../../../contract/problem-schema.ts';
import type { ManifestDocument } from '../../../kube/manifest.ts';
import { isPlainObject } from '../../../kube/plain.ts';
import { sentenceOf } from '../../../registry/commands/execute.ts';
import type { Tone } from '../../../registry/tone.ts';
import { useData } from '../../data/port.ts';
import { Glyph } from '../../kit/marks.tsx';
import { WhyNotLack } from '../../kit/WhyNotButton.tsx';

/** Most documents that the cluster is asked about. */
const maxDocuments = 20;

interface ClusterChecksProps {
  readonly clusterId: string;
  readonly clusterName: string;
  /** Undefined while the text is not valid. */
  readonly documents: readonly ManifestDocument[] | undefined;
}

/** Checks against the cluster: the namespace exists, this person may create the object, it already exists. */
export function ClusterChecks({ clusterId, clusterName, documents }: ClusterChecksProps) {
  const { api } = useData();
  const named = useDeferredValue(namedOf(documents ?? []));
  const isAsked = clusterId !== '' && named.length > 0;
  const checks = useQuery({
    queryKey: ['manifest-checks', clusterId, named],
    enabled: isAsked,
    staleTime: 5_000,
    gcTime: 30_000,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (
        await api.checkResource(
          { params: { clusterId: Number(clusterId) }, body: { documents: [...named] } },
          { signal },
        )
      ).checks,
  });
  return (
    <section
      className="flex max-h-28 min-w-0 flex-wrap gap-x-3.5 gap-y-1 overflow-auto rounded-md border border-border bg-raised px-3 py-2.25 text-(length:--text-xs)"
      aria-label="Checks against the cluster"
      role="status"
    >
      {clusterId === '' ? (
        <Line tone="idle">Choose a cluster to check the objects against.</Line>
      ) : !isAsked ? (
        <Line tone="idle">Checks against {clusterName} run when the YAML is valid</Line>
      ) : checks.isError ? (
        <Line tone="warn">The checks could not be run. {sentenceOf(checks.error)}</Line>
      ) : checks.data === undefined ? (
        <Line tone="idle">Asking {clusterName}…</Line>
      ) : (
        linesOf(checks.data, named).map(({ tone, text, lacking }) => (
          <Line key={text} tone={tone}>
            {text} <WhyNotLack what="Create resource" lack={lacking} />
          </Line>
        ))
      )}
    </section>
  );
}

function Line({ tone, children }: { readonly tone: Tone; readonly children: React.ReactNode }) {
  return (
    <span className="flex items-baseline gap-1.5 [&_svg]:relative [&_svg]:top-px">
      <Glyph tone={tone === 'ok' ? 'done' : tone} size={11} />
      <span>{children}</span>
    </span>
  );
}

const word = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 400) : '');

/** The references of documents: all that the checks send. */
export function namedOf(documents: readonly ManifestDocument[]): readonly NamedManifest[] {
  return documents.slice(0, maxDocuments).flatMap(({ value }) => {
    if (!isPlainObject(value)) return [];
    const metadata = isPlainObject(value['metadata']) ? value['metadata'] : {};
    const [apiVersion, kind] = [word(value['apiVersion']), word(value['kind'])];
    if (apiVersion === '' || kind === '' || kind.endsWith('List')) return [];
    return [{ apiVersion, kind, namespace: word(metadata['namespace']), name: word(metadata['name']) }];
  });
}

/** The checks as lines, each said once however many documents it holds for; what hinders comes first. */
export function linesOf(
  checks: readonly ManifestCheck[],
  named: readonly NamedManifest[],
): readonly { readonly tone: Tone; readonly text: string; readonly lacking?: Lack | undefined }[] {
  // A namespace of the same text is there by the time it is needed.
  const coming = new Set(named.flatMap(({ kind, name }) => (kind === 'Namespace' ? [name] : [])));
  const lines = checks.flatMap(({ title, refusal, lacking, namespace, namespaceExists, exists }, index) => {
    const { kind, name } = named[index] ?? { kind: '', name: '' };
    const found: { tone: Tone; text: string; lacking?: Lack | undefined }[] = [];
    if (refusal !== null) found.push({ tone: 'bad', text: refusal, ...(lacking && { lacking }) });
    else if (title !== null) found.push({ tone: 'ok', text: `You may create ${title}` });
    if (namespace !== null && namespaceExists !== null) {
      if (namespaceExists) found.push({ tone: 'ok', text: `Namespace ${namespace} exists` });
      else if (coming.has(namespace))
        found.push({ tone: 'ok', text: `Namespace ${namespace} is created with it` });
      else found.push({ tone: 'bad', text: `Namespace ${namespace} does not exist` });
    }
    if (exists === true) found.push({ tone: 'warn', text: `${kind} ${name} already exists` });
    return found;
  });
  const order: readonly Tone[] = ['bad', 'warn', 'ok'];
  return [...new Map(lines.map((line) => [line.text, line])).values()].sort(
    (a, b) => order.indexOf(a.tone) - order.indexOf(b.tone),
  );
}
