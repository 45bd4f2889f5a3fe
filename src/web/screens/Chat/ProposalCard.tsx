import { useState } from 'react';
import type { ChatPart } from '../../../contract/chat.ts';
import { useCommands } from '../../core/commands.ts';
import { kindLabel } from '../../core/kinds/names.ts';
import { useData } from '../../data/port.ts';
import { qualifiedName, refIn } from '../../features/actions/acting.ts';
import { comparable } from '../../features/actions/comparable.ts';
import { DiffText } from '../../features/actions/DiffText.tsx';
import { reasonAgainst } from '../../features/actions/help.ts';
import { useActionStates } from '../../features/actions/use-action-states.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { Note } from '../../kit/Note.tsx';
import { toYaml } from '../../yaml/to-yaml.ts';

interface ProposalCardProps {
  readonly clusterId: number;
  readonly proposal: Extract<ChatPart, { readonly type: 'proposal' }>;
  readonly isTaken: boolean;
}

/** A change that an answer proposes. It is run as the ordinary action, with all that this asks first. */
export function ProposalCard({ clusterId, proposal, isTaken }: ProposalCardProps) {
  const { services } = useCommands();
  const { api, queryClient } = useData();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(undefined);
  const [first, ...others] = proposal.refs.map((ref) => refIn(clusterId, ref));
  // Between the answer and now the object may have changed, or gone.
  const states = useActionStates(isTaken || first === undefined ? undefined : [first, ...others]);
  const reason = reasonAgainst({ id: proposal.action }, states);
  const take = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      const { action, refs, args } = await api.takeProposal({
        params: { clusterId, proposalId: proposal.id },
      });
      await queryClient.invalidateQueries({ queryKey: ['chat', clusterId, 'conversation'] });
      const [one, ...more] = refs.map((ref) => refIn(clusterId, ref));
      if (one !== undefined)
        await services.objects.act(
          action,
          [one, ...more],
          args,
          proposal.warning === undefined ? 'proposal' : 'warnedProposal',
        );
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section
      className="flex min-w-0 flex-col gap-1.5 rounded-sm border border-border bg-raised px-2.5 py-2"
      aria-label={`Proposal: ${proposal.title}`}
    >
      <h4 className="font-medium">Proposed: {proposal.title}</h4>
      {proposal.warning !== undefined && (
        <Note tone="warn">
          <Glyph tone="warn" size={13} />
          <p className="min-w-0 flex-1 wrap-anywhere">{proposal.warning}</p>
        </Note>
      )}
      <ul className="flex min-w-0 flex-col gap-0.5 text-xs text-text-2">
        {proposal.outcomes.map(({ ref, ok, message, change, difference }) => (
          <li key={JSON.stringify(ref)} className="flex min-w-0 flex-col gap-1 wrap-anywhere">
            <p>
              {kindLabel(ref.kind)} {qualifiedName(ref)}: {ok && change !== null ? change : message}
            </p>
            {difference !== undefined &&
              (difference.after === null ? (
                <p>The cluster would delete it.</p>
              ) : (
                <DiffText
                  title={`What will change in ${qualifiedName(ref)}`}
                  before={toYaml(comparable(difference.before))}
                  after={toYaml(comparable(difference.after))}
                  same="Differences are not shown in a chat. Open the review to see them."
                />
              ))}
          </li>
        ))}
      </ul>
      <ErrorAlert error={failure} />
      {isTaken ? (
        <p className="text-xs text-text-3">Taken up.</p>
      ) : (
        <div className="flex min-w-0 flex-wrap items-center gap-1.5">
          <Button
            size="sm"
            variant="secondary"
            isLoading={isBusy}
            reason={reason}
            keepsFocus
            onClick={() => void take()}
          >
            Review and run…
          </Button>
          {reason !== undefined && (
            <span className="min-w-0 text-xs wrap-anywhere text-text-2">{reason}</span>
          )}
        </div>
      )}
    </section>
  );
}
