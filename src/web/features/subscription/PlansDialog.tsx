import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useData } from '../../data/port.ts';
import { subscriptionQueries } from '../../data/subscription-queries.ts';
import { useCompanySubscription } from '../../data/use-subscription.ts';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { TextField } from '../../kit/fields.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { Note } from '../../kit/Note.tsx';
import { FailureNote } from './FailureNote.tsx';
import { PlanCards } from './PlanCards.tsx';
import { totalText } from './price.ts';
import { type AskedSeats, askedSeats } from './seats.ts';

/** What the person chose so far. */
export interface PlanChoice {
  readonly planId?: string;
  /** Seats as typed; those that are taken where nothing was. */
  readonly seats?: string;
}

interface PlansDialogProps {
  readonly choice: PlanChoice;
  readonly opener: Element | null;
  /** Why the checkout could not be opened. */
  readonly failure: unknown;
  /** The window of a checkout was closed, and no payment was seen. */
  readonly hasLeft: boolean;
  readonly isAsking: boolean;
  readonly onChoose: (choice: PlanChoice) => void;
  readonly onProceed: (planId: string, seats: number) => void;
  readonly onClose: () => void;
}

/** Asks an Owner for a plan and how many seats it has. */
export function PlansDialog(props: PlansDialogProps) {
  const { choice, opener, failure, hasLeft, isAsking, onChoose, onProceed, onClose } = props;
  const { api } = useData();
  const id = useId();
  const subscription = useCompanySubscription().data;
  const planId = choice.planId ?? subscription?.plan?.id;
  const taken = subscription?.seats.used ?? 0;
  const text = choice.seats ?? (subscription === undefined ? '' : String(taken));
  const asked = askedSeats(text, taken);
  const plan = useQuery(subscriptionQueries(api).plans).data?.find((one) => one.id === planId);
  return (
    <Dialog
      title="Select a Subscription Plan"
      width="wide"
      isSticky={choice.planId !== undefined || choice.seats !== undefined}
      opener={opener}
      onClose={onClose}
      footer={
        <>
          <span className="min-w-0 flex-1 text-text-2" role="status">
            {plan !== undefined && asked.seats !== undefined && totalText(plan, asked.seats)}
          </span>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            acts
            type="submit"
            form={id}
            isLoading={isAsking}
            reason={planId === undefined ? 'Select a plan first.' : asked.issue}
          >
            Proceed to Checkout
          </Button>
        </>
      }
    >
      <form
        id={id}
        className="flex flex-col gap-3.5"
        onSubmit={(event) => {
          event.preventDefault();
          if (planId !== undefined && asked.seats !== undefined && !isAsking) onProceed(planId, asked.seats);
        }}
      >
        {hasLeft && (
          <Note tone="info" role="status">
            <Glyph tone="info" size={13} />
            <div>
              The window of the checkout was closed, and no payment has arrived. Proceed to the checkout
              again; if you have paid, this page continues by itself.
            </div>
          </Note>
        )}
        <FailureNote sentence="Failed to generate checkout URL. Please try again." error={failure} />
        <PlanCards
          selected={planId}
          current={subscription?.plan?.id}
          onSelect={(chosen) => onChoose({ ...choice, planId: chosen })}
        />
        {planId !== undefined && (
          <SeatsField
            text={text}
            asked={asked}
            taken={taken}
            onChange={(seats) => onChoose({ ...choice, seats })}
          />
        )}
      </form>
    </Dialog>
  );
}

interface SeatsFieldProps {
  readonly text: string;
  readonly asked: AskedSeats;
  readonly taken: number;
  readonly onChange: (text: string) => void;
}

function SeatsField({ text, asked, taken, onChange }: SeatsFieldProps) {
  return (
    <TextField
      label="Seats"
      className="w-40"
      inputMode="numeric"
      autoComplete="off"
      placeholder="1"
      value={text}
      error={asked.issue}
      help={`Each member and each pending invitation takes one: ${taken} now.`}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
