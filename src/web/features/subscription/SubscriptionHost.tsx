import { useEffect } from 'react';
import { useCommands } from '../../core/commands.ts';
import { useCell } from '../../core/state/state.ts';
import { afterCallback, pendingHostedPage, tellPending } from '../../data/pending-checkout.ts';
import { useData } from '../../data/port.ts';
import { Optional } from '../../kit/Optional.tsx';
import { useSubscription } from './port.ts';
import { lazyPart } from '../../kit/lazy-part.ts';

const Subscribing = lazyPart(async () => (await import('./Subscribing.tsx')).Subscribing);

/**
 * Shows the plans while they are wanted. A hosted page that was paid before the person signed in is told to the server
 * once they have.
 */
export function SubscriptionHost() {
  const { services } = useCommands();
  const { api } = useData();
  const { isChoosing } = useSubscription();
  const isOpen = useCell(isChoosing);
  useEffect(() => {
    const pending = pendingHostedPage(localStorage);
    if (pending === undefined) return;
    const leave = async () => {
      const { log } = services;
      if (await tellPending(pending, { api, storage: localStorage, log })) location.assign(afterCallback);
    };
    void leave();
  }, [api, services]);
  if (!isOpen) return null;
  const close = () => isChoosing.set(false);
  return (
    <Optional what="The subscription plans" onMissing={close}>
      <Subscribing onClose={close} />
    </Optional>
  );
}
