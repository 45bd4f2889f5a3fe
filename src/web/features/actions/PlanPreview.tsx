import { useQuery } from '@tanstack/react-query';
import type { JobPlan } from '../../../contract/objects.ts';
import { Problem } from '../../../contract/problem.ts';
import { useData } from '../../data/port.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Note } from '../../kit/Note.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { Spinner } from '../../kit/Spinner.tsx';
import { StepLine } from '../../kit/StepLine.tsx';
import { type PendingAction, plainRef } from './acting.ts';
import { DiffText } from './DiffText.tsx';

/**
 * The plan of a job, read from the server whenever the arguments change; the previous plan stays until the new one
 * arrives.
 */
export function usePlan(
  { refs, actionId }: PendingAction,
  args: Readonly<Record<string, unknown>> | undefined,
) {
  const { api } = useData();
  return useQuery({
    queryKey: ['plan', actionId, refs, args],
    enabled: args !== undefined,
    gcTime: 0,
    staleTime: 0,
    retry: false,
    queryFn: async ({ signal }): Promise<JobPlan> => {
      const { outcomes } = await api.runAction(
        {
          params: { clusterId: Number(refs[0].cluster), actionId },
          body: { refs: refs.map(plainRef), args: { ...args }, dryRun: true },
        },
        { signal },
      );
      const [outcome] = outcomes;
      if (outcome?.plan !== undefined) return outcome.plan;
      throw new Problem({
        status: outcome?.status ?? 500,
        title: outcome?.message ?? 'The server did not describe the change.',
      });
    },
  });
}

interface PlanPreviewProps {
  readonly plan: ReturnType<typeof usePlan>;
}

/** The plan of a job: what happens to each object, and what prevents it from starting. */
export function PlanPreview({ plan: { data, error, isPending, refetch } }: PlanPreviewProps) {
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Spinner label="Loading the preview…" />;
  const groups = [...new Set(data.lines.map(({ group }) => group))];
  return (
    <section className="flex flex-col gap-2" aria-label="What will be done">
      {data.blocked !== null && (
        <Note tone="warn" role="status">
          <Glyph tone="warn" size={13} />
          <span className="min-w-0 flex-1">{data.blocked}</span>
        </Note>
      )}
      {groups.map((group) => {
        const lines = data.lines.filter((line) => line.group === group);
        return (
          <div key={group}>
            <h3 className="mb-0.5 text-(length:--text-xs) font-semibold">
              {group} <span className="text-text-2">{lines.length}</span>
            </h3>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard has to reach it */}
            <ul className="max-h-48 overflow-auto" tabIndex={0} aria-label={group}>
              {lines.map(({ name, about, tone }) => (
                <StepLine key={name} tone={tone} name={name}>
                  {about}
                </StepLine>
              ))}
            </ul>
          </div>
        );
      })}
      {data.notes.map((note) => (
        <p key={note} className="text-text-2">
          {note}
        </p>
      ))}
      {data.texts !== undefined && (
        <DiffText
          title="What will change"
          before={data.texts.before}
          after={data.texts.after}
          same="Nothing in the manifest."
        />
      )}
    </section>
  );
}
