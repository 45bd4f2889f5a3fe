import { useQuery } from '@tanstack/react-query';
import { Problem } from '../../../contract/problem.ts';
import type { ObjectBody } from '../../../contract/objects.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { ObjectRef, ScreenProps } from '../../../registry/command.ts';
import type { AnyKind } from '../../../registry/kind.ts';
import { plainRef } from '../../actions/acting.ts';
import { useApp } from '../../app/context.ts';
import type { LiveObject } from '../../data/live/object.ts';
import { NoSuchPage } from '../../shell/NoSuchPage.tsx';
import { useView } from '../../workspace/view.ts';
import { DetailView } from '../detail/DetailView.tsx';
import { kindOfPath } from './kind.ts';
import { polledBase, polledFreshness, pollInterval } from './polled.ts';

/** The page of one object whose kind has no file. */
export function Screen({ params }: ScreenProps) {
  const kind = kindOfPath(params);
  const { clusterId: cluster = '', namespaceName: namespace, name = '' } = params;
  if (kind === undefined || (kind.scope === 'Namespaced') !== (namespace !== undefined))
    return <NoSuchPage />;
  const self = { cluster, kind: kind.id, ...(namespace === undefined ? {} : { namespace }), name };
  return <PolledObject kind={kind} self={self} />;
}

interface PolledObjectProps {
  readonly kind: AnyKind;
  readonly self: ObjectRef;
}

function PolledObject({ kind, self }: PolledObjectProps) {
  const { api } = useApp();
  const { isVisible } = useView();
  const clusterId = Number(self.cluster);
  const object = useQuery({
    queryKey: ['polled-object', self],
    retry: false,
    enabled: isVisible,
    refetchInterval: pollInterval,
    queryFn: ({ signal }): Promise<ObjectBody> =>
      api.object(
        {
          params: { clusterId, kind: self.kind, name: self.name },
          query: self.namespace === undefined ? {} : { namespace: self.namespace },
        },
        { signal },
      ),
  });
  const actions = useQuery({
    queryKey: ['actions', [self], object.data?.metadata?.['resourceVersion']],
    enabled: object.isSuccess,
    retry: false,
    queryFn: async ({ signal }) =>
      (await api.availableActions({ params: { clusterId }, body: { refs: [plainRef(self)] } }, { signal }))
        .actions,
  });
  const isGone = object.error instanceof Problem && object.error.status === 404;
  const read = object.data as KubeObject | undefined;
  const status = read === undefined ? undefined : kind.status?.(read);
  const data: LiveObject = {
    ...polledBase(object),
    ...(isGone ? { complete: true, gone: { at: null } } : {}),
    ...(object.data === undefined || read === undefined
      ? {}
      : {
          view: {
            object: object.data,
            status: status === undefined ? null : [status.label, status.tone],
            facts: kind.facts?.(read) ?? {},
            attention: [],
            joined: {},
            actions: actions.data ?? [],
          },
        }),
  };
  return (
    <DetailView
      kind={kind}
      self={self}
      data={data}
      freshness={polledFreshness(object, kind.kind)}
      onRetry={() => void object.refetch()}
    />
  );
}
