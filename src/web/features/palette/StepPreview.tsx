import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { sentenceOf } from '../../../registry/commands/execute.ts';
import { type PendingAction, qualifiedName, plainRef } from '../actions/acting.ts';
import { useData } from '../../data/port.ts';
import { Optional } from '../../kit/Optional.tsx';
import { lazyPart } from '../../kit/lazy-part.ts';

// The palette opens without it.
const OutcomeChange = lazyPart(async () => (await import('../actions/ChangePreview.tsx')).OutcomeChange);

/** How long an answer rests before the cluster is asked what it would change (ms): not for each key. */
const restFor = 400;
/** Objects a preview is made for; the confirmation of more says what happens. */
const maxPreviewed = 5;

interface StepPreviewProps {
  readonly acting: PendingAction;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The change that an answer would make, from the cluster's dry run. */
export function StepPreview({ acting, args }: StepPreviewProps) {
  const { api } = useData();
  const { refs, actionId } = acting;
  const key = JSON.stringify([actionId, refs, args]);
  const [rested, setRested] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setRested(key), restFor);
    return () => clearTimeout(timer);
  }, [key]);
  const isPreviewed = refs.length <= maxPreviewed;
  const dryRun = useQuery({
    queryKey: ['dry-run', key],
    enabled: isPreviewed && rested === key,
    gcTime: 0,
    retry: false,
    queryFn: ({ signal }) =>
      api.runAction(
        {
          params: { clusterId: Number(refs[0].cluster), actionId },
          body: { refs: refs.map(plainRef), args: { ...args }, dryRun: true },
        },
        { signal },
      ),
  });
  if (!isPreviewed) return null;
  return (
    <div className="flex flex-col items-stretch gap-2" role="status">
      {dryRun.isPending && <p className="text-text-2">Asking the cluster what will change…</p>}
      {dryRun.isError && <p className="text-text-2">{sentenceOf(dryRun.error)}</p>}
      <Optional what="The change">
        {dryRun.data?.outcomes.map((outcome) => (
          <OutcomeChange key={qualifiedName(outcome.ref)} outcome={outcome} isOne={refs.length === 1} />
        ))}
      </Optional>
    </div>
  );
}
