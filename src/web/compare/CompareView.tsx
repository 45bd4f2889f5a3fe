import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ObjectBody } from '../../contract/objects.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { ObjectRef } from '../../registry/command.ts';
import type { AnyKind } from '../../registry/kind.ts';
import { sentenceOf } from '../../registry/execute.ts';
import { useApp } from '../app/context.ts';
import { ErrorAlert } from '../ui/ErrorAlert.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { useViewSearch } from '../workspace/view.ts';
import { DiffSides } from './DiffSides.tsx';
import { comparedText, lastAppliedOf } from './hunks.ts';
import { formatOther, lastAppliedName, parseOther } from './other.ts';
import { OtherFields } from './OtherFields.tsx';

interface CompareViewProps {
  readonly kind: AnyKind;
  readonly self: ObjectRef;
  readonly object: KubeObject;
}

/** Compares an object with another of its kind, or with what was last applied to it. The address holds both. */
export function CompareView({ kind, self, object }: CompareViewProps) {
  const { api, queries } = useApp();
  const [search, setSearch] = useViewSearch();
  const [withStatus, setWithStatus] = useState(false);
  const to = search['to'];
  const isLastApplied = to === lastAppliedName;
  const other = isLastApplied ? undefined : parseOther(to, self);
  const clusters = useQuery(queries.clusters).data ?? [];
  const clusterName = (id: string) => clusters.find((one) => String(one.id) === id)?.name ?? `cluster ${id}`;
  const read = useQuery({
    queryKey: ['compared', other],
    enabled: other !== undefined,
    gcTime: 0,
    retry: 1,
    refetchInterval: 15_000,
    queryFn: ({ signal }) => {
      if (other === undefined) throw new Error('There is nothing to compare with.');
      return api.object(
        {
          params: { clusterId: Number(other.cluster), kind: other.kind, name: other.name },
          query: other.namespace === undefined ? {} : { namespace: other.namespace },
        },
        { signal },
      );
    },
  });
  const own = object as ObjectBody;
  const applied = isLastApplied ? lastAppliedOf(own) : undefined;
  const right = isLastApplied ? applied : other === undefined ? undefined : read.data;
  const texts = useMemo(
    () => ({
      left: comparedText(own, withStatus),
      right: right === undefined ? undefined : comparedText(right, withStatus),
    }),
    [own, right, withStatus],
  );
  const title = (ref: ObjectRef) =>
    `${clusterName(ref.cluster)}: ${ref.namespace === undefined ? '' : `${ref.namespace}/`}${ref.name}`;
  return (
    <div className="body scroll compare-view">
      <OtherFields
        key={to ?? ''}
        self={self}
        other={other}
        onChoose={(chosen) => setSearch({ to: formatOther(chosen) }, 'push')}
        onLastApplied={() => setSearch({ to: lastAppliedName }, 'push')}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={withStatus}
          onChange={({ target }) => setWithStatus(target.checked)}
        />
        Status
      </label>
      {isLastApplied && applied === undefined && (
        <p role="status">
          {kind.kind} {self.name} has no record of what was last applied, or it is masked: only kubectl apply
          keeps one.
        </p>
      )}
      {read.isError && (
        <ErrorAlert
          message={sentenceOf(read.error)}
          onRetry={() => void read.refetch()}
          isRetrying={read.isFetching}
        />
      )}
      {other !== undefined && read.isPending && <Spinner label="Reading the other object…" />}
      {texts.right !== undefined && (
        <DiffSides
          left={{ title: title(self), text: texts.left, ref: self }}
          right={{
            title: isLastApplied ? 'Last applied by kubectl' : title(other ?? self),
            text: texts.right,
            ref: isLastApplied ? undefined : other,
          }}
          canCopy={!withStatus}
        />
      )}
    </div>
  );
}
