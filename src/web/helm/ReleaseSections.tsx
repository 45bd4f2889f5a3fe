import { useQuery } from '@tanstack/react-query';
import type { ReleaseResource } from '../../contract/releases.ts';
import type { Release } from '../../kube/helm.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { ObjectRef } from '../../registry/command.ts';
import { sentenceOf } from '../../registry/execute.ts';
import { fillPath } from '../../registry/path.ts';
import { useApp } from '../app/context.ts';
import { useMay } from '../data/may-act.ts';
import { ObjectLink } from '../resource/detail/ObjectLink.tsx';
import { Section } from '../resource/detail/Section.tsx';
import { statusOf } from '../resource/tones.ts';
import { ErrorAlert } from '../ui/ErrorAlert.tsx';
import { PlaceLink } from '../ui/Link.tsx';
import { StatusText } from '../ui/marks.tsx';
import { useView } from '../workspace/view.ts';
import { useContents } from './use-contents.ts';

/** How the objects of a release are is asked this often while somebody looks, ms. */
const interval = 5_000;
export const historyPath = '/clusters/:clusterId/namespaces/:namespace/releases/:releaseName/history';

/** The page of a release's revisions. */
export const historyOf = ({ cluster, namespace = '', name }: ObjectRef): string =>
  fillPath(historyPath, { clusterId: cluster, namespace, releaseName: name });

interface ReleaseSectionsProps {
  readonly object: KubeObject;
  readonly self: ObjectRef;
}

/** The objects of a release with how they are, its history and what its chart has to say. */
export function ReleaseSections({ object, self }: ReleaseSectionsProps) {
  const { revision, revisions = [] }: Release = object;
  const may = useMay(self.cluster);
  const contents = useContents(self, may('secrets.view') ? revision : undefined);
  return (
    <>
      <Resources self={self} revision={revision} />
      <Section title="History" about={revisions.length}>
        <PlaceLink className="link" href={historyOf(self)}>
          {revisions.length === 1 ? 'One revision is kept' : `Compare the ${revisions.length} revisions`}
        </PlaceLink>
      </Section>
      {contents.data !== undefined && contents.data.hooks.length > 0 && (
        <Section title="Hooks" about={contents.data.hooks.length}>
          <dl className="kv">
            {contents.data.hooks.map(({ kind, name, events }) => (
              <div key={`${kind} ${name}`} className="kv-line">
                <dt className="break">{name}</dt>
                <dd>
                  {kind}, {events.join(', ')}
                </dd>
              </div>
            ))}
          </dl>
        </Section>
      )}
      {contents.data !== undefined && contents.data.notes.trim() !== '' && (
        <Section title="Notes">
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard has to reach it */}
          <pre className="code notes-text" tabIndex={0} aria-label="Notes of the chart">
            {contents.data.notes}
          </pre>
        </Section>
      )}
    </>
  );
}

interface ResourcesProps {
  readonly self: ObjectRef;
  readonly revision: number | undefined;
}

function Resources({ self, revision }: ResourcesProps) {
  const { api } = useApp();
  const { isVisible } = useView();
  const { cluster, namespace = '', name } = self;
  const found = useQuery({
    queryKey: ['release-resources', cluster, namespace, name, revision],
    gcTime: 0,
    retry: false,
    refetchInterval: isVisible ? interval : false,
    queryFn: ({ signal }) =>
      api.releaseResources({ params: { clusterId: Number(cluster), namespace, name } }, { signal }),
  });
  const resources = found.data?.resources ?? [];
  return (
    <Section title="Resources" about={found.data === undefined ? undefined : resources.length}>
      <ErrorAlert
        message={found.isError ? sentenceOf(found.error) : undefined}
        onRetry={() => void found.refetch()}
      />
      {found.isPending && <p className="sec">Asking how its objects are…</p>}
      {found.data !== undefined && resources.length === 0 && <p className="sec">It has none.</p>}
      {resources.length > 0 && (
        <div className="table-scroll scroll-x" aria-busy={found.isPending}>
          <table className="plain resource-table">
            <thead>
              <tr>
                <th scope="col">Kind</th>
                <th scope="col">Name</th>
                <th scope="col">Status</th>
              </tr>
            </thead>
            <tbody>
              {resources.map((one) => (
                <tr key={`${one.apiVersion} ${one.kind} ${one.namespace ?? ''} ${one.name}`}>
                  <td>{one.kind}</td>
                  <td className="break">
                    <ObjectLink to={refOf(cluster, one)}>
                      {one.namespace === null || one.namespace === namespace
                        ? one.name
                        : `${one.namespace}/${one.name}`}
                    </ObjectLink>
                  </td>
                  <td>
                    <ResourceStatus resource={one} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}

function refOf(cluster: string, { kindId, namespace, name, state }: ReleaseResource): ObjectRef | undefined {
  if (kindId === null || state === 'missing') return undefined;
  return { cluster, kind: kindId, ...(namespace === null ? {} : { namespace }), name };
}

function ResourceStatus({ resource: { state, status } }: { readonly resource: ReleaseResource }) {
  if (state === 'missing') return <StatusText tone="bad" label="Missing" />;
  if (state === 'unknown') return <span className="sec">not for you to see</span>;
  const known = status === null ? undefined : statusOf(status);
  return known === undefined ? <StatusText tone="ok" label="There" /> : <StatusText {...known} />;
}
