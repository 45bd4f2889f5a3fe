import { useState } from 'react';
import type { Outcome } from '../../../contract/objects.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { toYaml } from '../../yaml/to-yaml.ts';
import { type PendingAction, qualifiedName, plainRef } from './acting.ts';
import { DiffText } from './DiffText.tsx';
import { comparable } from './comparable.ts';

interface ChangePreviewProps {
  readonly acting: PendingAction;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Asks the cluster what an action would change, without changing it, and shows the difference. */
export function ChangePreview({ acting, args }: ChangePreviewProps) {
  const { api } = useData();
  const { refs, actionId } = acting;
  const [outcomes, setOutcomes] = useState<readonly Outcome[] | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const ask = () => {
    setBusy(true);
    setFailure(undefined);
    api
      .runAction({
        params: { clusterId: Number(refs[0].cluster), actionId },
        body: { refs: refs.map(plainRef), args: { ...args }, dryRun: true },
      })
      .then((answer) => setOutcomes(answer.outcomes))
      .catch(setFailure)
      .finally(() => setBusy(false));
  };
  if (outcomes === undefined) {
    return (
      <div className="flex flex-col items-stretch gap-2 *:[button]:self-start">
        <Button size="sm" variant="light" isLoading={isBusy} loadingText="Checking..." onClick={ask}>
          Show what will change
        </Button>
        <ErrorAlert error={failure} />
      </div>
    );
  }
  return (
    <div className="flex flex-col items-stretch gap-2 *:[button]:self-start" role="status">
      {outcomes.map((outcome) => (
        <OutcomeChange key={qualifiedName(outcome.ref)} outcome={outcome} isOne={outcomes.length === 1} />
      ))}
    </div>
  );
}

/** The difference that an action would make to one object. */
export function OutcomeChange({ outcome, isOne }: { readonly outcome: Outcome; readonly isOne: boolean }) {
  const { ref, ok, message, before, after } = outcome;
  const name = qualifiedName(ref);
  if (!ok) return <ErrorAlert {...(isOne ? {} : { title: name })} message={message} />;
  if (before === undefined) return <p className="text-text-2">{isOne ? message : `${name}: ${message}`}</p>;
  if (after === undefined)
    return <p className="text-text-2">{isOne ? 'The cluster would delete it.' : `${name} would be gone.`}</p>;
  return (
    <DiffText
      title={isOne ? 'What will change' : `What will change in ${name}`}
      before={toYaml(comparable(before))}
      after={toYaml(comparable(after))}
      same="Nothing: it already has these values."
    />
  );
}
