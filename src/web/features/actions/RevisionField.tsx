import { useQuery } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import { formatAge } from '../../../kube/age.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { useData } from '../../data/port.ts';
import { useDataTime } from '../../data/live/use-data-time.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { FieldGroup } from '../../kit/FieldGroup.tsx';
import { FieldError } from '../../kit/fields.tsx';
import { useStable } from '../../kit/use-stable.ts';
import { TemplateChange } from './TemplateChange.tsx';

interface RevisionFieldProps {
  readonly label: string;
  readonly self: ObjectRef;
  readonly value: string;
  readonly issue: string | undefined;
  readonly onChange: (value: string) => void;
}

/** The revisions of a workload to choose from, and what the chosen one would change. */
export function RevisionField({ label, self, value, issue, onChange }: RevisionFieldProps) {
  const { api } = useData();
  const group = useId();
  const { cluster, kind, namespace, name } = self;
  // The cluster wrote when each was made.
  const now = useDataTime(undefined, cluster);
  const revisions = useQuery({
    queryKey: ['revisions', self],
    gcTime: 0,
    retry: false,
    queryFn: ({ signal }) =>
      api.revisions(
        {
          params: { clusterId: Number(cluster), kind, name },
          query: namespace === undefined ? {} : { namespace },
        },
        { signal },
      ),
  });
  const chosen = revisions.data?.revisions.find(({ revision }) => String(revision) === value);
  const others = revisions.data?.revisions.filter(({ isCurrent }) => !isCurrent) ?? [];
  const earlier = others[0]?.revision;
  const choose = useStable(onChange);
  // Rolling back means the revision before, unless somebody chooses another.
  useEffect(() => {
    if (value === '' && earlier !== undefined) choose(String(earlier));
  }, [value, earlier, choose]);
  return (
    <FieldGroup label={label}>
      {revisions.isPending && (
        <p className="text-text-2" data-part="choices-loading">
          Loading the revisions…
        </p>
      )}
      <ErrorAlert error={revisions.error} onRetry={() => void revisions.refetch()} />
      {revisions.isSuccess && others.length === 0 && (
        <p className="text-text-2">The cluster keeps no earlier revision.</p>
      )}
      {others.map(({ revision, createdAt, images, cause }) => {
        const made = Date.parse(createdAt ?? '');
        return (
          <label
            key={revision}
            className="flex flex-col rounded-sm border border-border bg-surface px-2.5 py-1.5 has-checked:border-accent has-checked:bg-accent-soft"
          >
            <span className="flex min-h-6 min-w-0 items-center gap-1.5">
              <input
                type="radio"
                name={group}
                value={revision}
                checked={String(revision) === value}
                onChange={() => onChange(String(revision))}
              />
              <b className="font-semibold">Revision {revision}</b>
              {!Number.isNaN(made) && (
                <span className="text-text-2">{formatAge((now - made) / 1000)} ago</span>
              )}
            </span>
            <span className="mono pl-5 leading-4 wrap-anywhere text-text-3">{images.join(', ')}</span>
            {cause !== null && <span className="pl-5 text-xs text-text-3">{cause}</span>}
          </label>
        );
      })}
      {issue !== undefined && <FieldError role="alert">{issue}</FieldError>}
      {chosen?.template !== undefined && chosen.template !== null && (
        <TemplateChange
          revision={chosen.revision}
          current={revisions.data?.current}
          template={chosen.template}
        />
      )}
    </FieldGroup>
  );
}
