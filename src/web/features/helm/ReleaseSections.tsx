import { type Query, useQuery } from '@tanstack/react-query';
import type { ReleaseResource } from '../../../contract/releases.ts';
import type { Release } from '../../../kube/helm.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { fillPath } from '../../../registry/path.ts';
import { useData } from '../../data/port.ts';
import type { ObjectTarget } from '../../data/live/targets.ts';
import { useLive } from '../../data/live/use-live.ts';
import { useMay } from '../../data/may-act.ts';
import { Fact, FactList } from '../../kit/FactList.tsx';
import { ObjectLink } from '../../frame/ObjectLink.tsx';
import { Section } from '../../kit/Section.tsx';
import { statusOf } from '../../data/rows/tones.ts';
import { wrappedCodeLook } from '../../kit/code.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { PlaceLink } from '../../kit/Link.tsx';
import { StatusText } from '../../kit/marks.tsx';
import { headCell, tableCell, tableLook, tableRow } from '../../kit/table.ts';
import { useView } from '../../workspace/view.ts';
import { statusNow } from './status-now.ts';
import { useContents } from './use-contents.ts';

/** Objects of a release that are followed live; of a release with more the others are asked for every now and then. */
const maxFollowed = 20;
/** How often all are asked for while somebody looks: where every one is followed, and where not, ms. */
const intervals = { followed: 30_000, asked: 5_000 } as const;
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
        <PlaceLink href={historyOf(self)}>
          {revisions.length === 1 ? 'One revision is kept' : `Compare the ${revisions.length} revisions`}
        </PlaceLink>
      </Section>
      {contents.data !== undefined && contents.data.hooks.length > 0 && (
        <Section title="Hooks" about={contents.data.hooks.length}>
          <FactList>
            {contents.data.hooks.map(({ kind, name, events }) => (
              <Fact key={`${kind} ${name}`} name={name}>
                {kind}, {events.join(', ')}
              </Fact>
            ))}
          </FactList>
        </Section>
      )}
      {contents.data !== undefined && contents.data.notes.trim() !== '' && (
        <Section title="Notes">
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard has to reach it */}
          <pre className={wrappedCodeLook} tabIndex={0} aria-label="Notes of the chart">
            {contents.data.notes}
          </pre>
        </Section>
      )}
    </>
  );
}

/** The columns beside the name: where there is little room the name gets most of it. */
const sideLook = 'w-[min(12rem,30cqi)]';

interface ReleaseResources {
  readonly resources: ReleaseResource[];
  /** Objects where the person reaches nothing. */
  readonly leftOut: number;
}

const noResources: ReleaseResources = { resources: [], leftOut: 0 };

interface ResourcesProps {
  readonly self: ObjectRef;
  readonly revision: number | undefined;
}

function Resources({ self, revision }: ResourcesProps) {
  const { api } = useData();
  const { isVisible } = useView();
  const { cluster, namespace = '', name } = self;
  const found = useQuery({
    queryKey: ['release-resources', cluster, namespace, name, revision],
    gcTime: 0,
    retry: false,
    refetchInterval: ({ state }: Query<ReleaseResources>) => {
      if (!isVisible) return false;
      const count = state.data?.resources.length ?? 0;
      return count > maxFollowed ? intervals.asked : intervals.followed;
    },
    queryFn: ({ signal }) =>
      api.releaseResources({ params: { clusterId: Number(cluster), namespace, name } }, { signal }),
  });
  const { resources, leftOut } = found.data ?? noResources;
  return (
    <Section title="Resources" about={found.data === undefined ? undefined : resources.length}>
      <ErrorAlert error={found.error} onRetry={() => void found.refetch()} />
      {found.isPending && <p className="text-text-2">Loading the status of its objects…</p>}
      {found.data !== undefined && resources.length === 0 && leftOut === 0 && (
        <p className="text-text-2">It has none.</p>
      )}
      {leftOut > 0 && (
        <p className="text-text-2">
          {leftOut === 1 ? 'One of its objects is' : `${leftOut} of its objects are`} outside the namespaces
          that your teams can use are not shown.
        </p>
      )}
      {resources.length > 0 && (
        <div className="scroll-shade overflow-x-auto" aria-busy={found.isPending}>
          <table className={tableLook}>
            <thead>
              <tr>
                <th scope="col" className={headCell({ className: sideLook })}>
                  Kind
                </th>
                <th scope="col" className={headCell()}>
                  Name
                </th>
                <th scope="col" className={headCell({ className: sideLook })}>
                  Status
                </th>
              </tr>
            </thead>
            <tbody>
              {resources.map((one, index) => (
                <tr
                  key={`${one.apiVersion} ${one.kind} ${one.namespace ?? ''} ${one.name}`}
                  className={tableRow}
                >
                  <td className={`${tableCell} ${sideLook}`}>{one.kind}</td>
                  <td className={`wrap-anywhere ${tableCell}`}>
                    <ObjectLink to={refOf(cluster, one)}>
                      {one.namespace === null || one.namespace === namespace
                        ? one.name
                        : `${one.namespace}/${one.name}`}
                    </ObjectLink>
                  </td>
                  <td className={`${tableCell} ${sideLook}`}>
                    <ResourceStatus
                      resource={one}
                      target={index < maxFollowed && isVisible ? targetOf(cluster, one) : undefined}
                    />
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

/** The live target of a release's object; undefined if this person may not view it, or the console does not know it. */
function targetOf(cluster: string, one: ReleaseResource): ObjectTarget | undefined {
  const { kindId, namespace, name, state } = one;
  if (kindId === null || state === 'unknown') return undefined;
  return {
    type: 'object',
    clusterId: Number(cluster),
    kind: kindId,
    ...(namespace === null ? {} : { namespace }),
    name,
  };
}

interface ResourceStatusProps {
  readonly resource: ReleaseResource;
  readonly target: ObjectTarget | undefined;
}

/** How an object is: as it is followed, and until that is known as it was when all were asked for. */
function ResourceStatus({ resource, target }: ResourceStatusProps) {
  const live = useLive(target, true);
  const { state, status } = statusNow(resource, target === undefined ? undefined : live);
  if (state === 'missing') return <StatusText tone="bad" label="Missing" />;
  if (state === 'unknown') return <span className="text-text-2">no access</span>;
  const known = status === null ? undefined : statusOf(status);
  return known === undefined ? <StatusText tone="ok" label="There" /> : <StatusText {...known} />;
}
