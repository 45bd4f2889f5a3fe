import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import type { ObjectBody } from '../../../contract/objects.ts';
import { Problem } from '../../../contract/problem.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Spinner } from '../../kit/Spinner.tsx';
import { WriterNotes } from '../actions/WriterNotes.tsx';
import { useViewSearch } from '../../workspace/view.ts';
import { type Comparison, DiffSides } from './DiffSides.tsx';
import { comparedText, lastAppliedOf } from './hunks.ts';
import { formatOther, lastAppliedName, parseOther } from './other.ts';
import { OtherFields } from './OtherFields.tsx';
import { SameName } from './SameName.tsx';
import { useSides } from './use-sides.ts';

interface CompareViewProps {
  readonly kind: AnyKind;
  readonly self: ObjectRef;
  readonly object: KubeObject;
  /** The line below. @param place where one is among the differences */
  readonly renderStatus: (place: string | undefined) => ReactNode;
}

/** Compares an object with another of its kind, or with what was last applied to it. The address holds both. */
export function CompareView({ kind, self, object, renderStatus }: CompareViewProps) {
  const { queries } = useData();
  const [search, setSearch] = useViewSearch();
  const { to } = search;
  const withStatus = search.status === '1';
  const isLastApplied = to === lastAppliedName;
  const other = isLastApplied ? undefined : parseOther(to, self);
  const clusters = useQuery(queries.clusters).data ?? [];
  const clusterOf = (id: string | undefined) => clusters.find((one) => String(one.id) === id);
  const clusterName = (id: string) => clusterOf(id)?.name ?? `cluster ${id}`;
  const { read, left, right: there } = useSides(self, object as ObjectBody, other, kind.masked === true);
  const applied = isLastApplied ? lastAppliedOf(object as ObjectBody) : undefined;
  const right = isLastApplied ? applied : there;
  const texts = useMemo(
    () => ({
      left: comparedText(left, withStatus),
      right: right === undefined ? undefined : comparedText(right, withStatus),
    }),
    [left, right, withStatus],
  );
  const title = (ref: ObjectRef) =>
    `${clusterName(ref.cluster)}: ${ref.namespace === undefined ? '' : `${ref.namespace}/`}${ref.name}`;
  const comparison: Comparison = {
    left: { title: title(self), colour: clusterOf(self.cluster)?.colour, text: texts.left, ref: self },
    right: {
      title: isLastApplied ? 'Last applied by kubectl' : title(other ?? self),
      colour: clusterOf(other?.cluster)?.colour,
      text: texts.right,
      ref: isLastApplied ? undefined : other,
    },
  };
  return (
    <DiffSides
      kind={kind}
      comparison={comparison}
      withStatus={withStatus}
      onStatus={() => setSearch({ status: withStatus ? undefined : '1' })}
      onAgain={() => void read.refetch()}
      renderStatus={renderStatus}
    >
      <SameName
        self={self}
        isFirstChoice={to === undefined}
        onChoose={(chosen) => setSearch({ to: formatOther(chosen) }, 'push')}
      />
      <OtherFields
        key={to ?? ''}
        self={self}
        other={other}
        kind={kind}
        onChoose={(chosen) => setSearch({ to: formatOther(chosen) }, 'push')}
        onLastApplied={() => setSearch({ to: lastAppliedName }, 'push')}
      />
      {kind.masked === true && other !== undefined && (
        <p className="flex min-w-0 flex-wrap items-center gap-1.5 text-(length:--text-xs) text-text-2">
          Values are compared and never shown. Each comparison is recorded in the audit log, so the other side
          is read only when you ask.
          <Button
            size="sm"
            variant="secondary"
            isLoading={read.isFetching}
            onClick={() => void read.refetch()}
          >
            Read again
          </Button>
        </p>
      )}
      {isLastApplied && applied === undefined && (
        <p role="status">
          {kind.kind} {self.name} has no record of the last applied configuration, or it is masked. Only
          kubectl apply keeps one.
        </p>
      )}
      {read.isError && other !== undefined && (
        <ErrorAlert
          error={
            read.error instanceof Problem && read.error.status === 404
              ? `There is no ${kind.kind} ${other.namespace === undefined ? '' : `${other.namespace}/`}${other.name} in ${clusterName(other.cluster)}. Choose another, or create it there.`
              : read.error
          }
          onRetry={() => void read.refetch()}
          isRetrying={read.isFetching}
        />
      )}
      {[self, ...(right === undefined || other === undefined ? [] : [other])].map((one) => (
        <WriterNotes key={title(one)} refs={[one]} title={`Who writes ${title(one)} next`} />
      ))}
      {other !== undefined && read.isPending && <Spinner label="Loading the other object…" />}
    </DiffSides>
  );
}
