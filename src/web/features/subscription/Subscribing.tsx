import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { isAdmin } from '../../data/session.ts';
import { CheckoutDialog } from './CheckoutDialog.tsx';
import { FinalisingDialog } from './FinalisingDialog.tsx';
import { type PlanChoice, PlansDialog } from './PlansDialog.tsx';
import { PlansForMembers } from './PlansForMembers.tsx';
import { useCheckout } from './use-checkout.ts';

/** From the plans to a subscription: choosing one, paying at the provider, and telling the server. */
export function Subscribing({ onClose }: { readonly onClose: () => void }) {
  const { services } = useCommands();
  const { api, queries } = useData();
  const user = useQuery(queries.session).data;
  const [opener] = useState(() => document.activeElement);
  const [choice, setChoice] = useState<PlanChoice>({});
  const finish = async () => {
    try {
      await api.firstLoginComplete({});
    } catch (error) {
      // The subscription stands all the same.
      services.log('The first sign-in could not be marked as complete.', error);
    }
    onClose();
    location.reload();
  };
  const { state, proceed, retry, close, reopen, frame } = useCheckout(() => void finish());
  if (user == null) return null;
  if (!isAdmin(user)) return <PlansForMembers onClose={onClose} />;
  if (state.type === 'choosing' || state.type === 'asking')
    return (
      <PlansDialog
        choice={choice}
        opener={opener}
        failure={state.type === 'choosing' ? state.failure : undefined}
        hasLeft={state.type === 'choosing' && state.hasLeft === true}
        isAsking={state.type === 'asking'}
        onChoose={setChoice}
        onProceed={proceed}
        onClose={onClose}
      />
    );
  if (state.type === 'paying')
    return (
      <CheckoutDialog
        checkout={state.checkout}
        place={state.place}
        frame={frame}
        opener={opener}
        onReopen={reopen}
        onClose={close}
      />
    );
  return (
    <FinalisingDialog
      failure={state.type === 'unfinished' ? state.failure : undefined}
      opener={opener}
      onRetry={retry}
      onClose={onClose}
    />
  );
}
