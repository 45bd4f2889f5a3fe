import { useQuery } from '@tanstack/react-query';
import { effectsLimit } from '../../../contract/objects.ts';
import { useData } from '../../data/port.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { plainRef, type Refs } from './acting.ts';
import { deletionText } from './deletion-text.ts';

interface DeletionEffectsProps {
  readonly refs: Refs;
  /** What becomes of what they own, as the form has it now. */
  readonly propagation: unknown;
}

/** Says what goes and what stays when objects are deleted, as the cluster has it at this moment. */
export function DeletionEffects({ refs, propagation }: DeletionEffectsProps) {
  const { api } = useData();
  const isCounted = refs.length <= effectsLimit;
  const effects = useQuery({
    queryKey: ['deletion-effects', refs],
    enabled: isCounted,
    gcTime: 0,
    staleTime: 0,
    retry: false,
    queryFn: ({ signal }) =>
      api.deletionEffects(
        { params: { clusterId: Number(refs[0].cluster) }, body: { refs: refs.map(plainRef) } },
        { signal },
      ),
  });
  if (!isCounted)
    return <p>With more than {effectsLimit} objects, what else is deleted with them is not listed here.</p>;
  if (effects.error !== null)
    return <ErrorAlert title="Could not find out what else is deleted." error={effects.error} />;
  return (
    <ul
      aria-live="polite"
      aria-label="What is deleted and what stays"
      className="flex min-h-5 flex-col gap-1"
    >
      {effects.isPending ? (
        <li className="text-text-2">Counting what else is deleted…</li>
      ) : (
        deletionText(effects.data, propagation).map((sentence) => (
          <li key={sentence} className="wrap-anywhere">
            {sentence}
          </li>
        ))
      )}
    </ul>
  );
}
