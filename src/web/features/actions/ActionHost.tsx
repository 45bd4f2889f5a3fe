import { useEffect } from 'react';
import { useCommands } from '../../core/commands.ts';
import { useActing } from './port.ts';
import { useCell } from '../../core/state/state.ts';
import { Optional } from '../../kit/Optional.tsx';
import { lazyPart } from '../../kit/lazy-part.ts';
import { keepHeldOnLeaving } from './held-on-leaving.ts';

const ActionDialog = lazyPart(async () => (await import('./ActionDialog.tsx')).ActionDialog);

/** Shows the dialog of the action that waits for its arguments or its confirmation, and guards held changes. */
export function ActionHost() {
  const { acting, heldChanges } = useActing();
  const { toast } = useCommands().services;
  useEffect(() => keepHeldOnLeaving(window, sessionStorage, heldChanges, toast), [heldChanges, toast]);
  const wanted = useCell(acting);
  if (wanted === undefined) return null;
  // An answer that comes late closes its own dialog, not one that was opened since.
  const close = () => {
    if (acting.get() === wanted) acting.set(undefined);
  };
  return (
    <Optional what="The dialog of this action" onMissing={close}>
      <ActionDialog key={JSON.stringify(wanted)} acting={wanted} onClose={close} />
    </Optional>
  );
}
