import { useEffect } from 'react';
import { useCreating } from './port.ts';
import { useCell } from '../../core/state/state.ts';
import { Optional } from '../../kit/Optional.tsx';
import { lazyPart } from '../../kit/lazy-part.ts';

const CreateDialog = lazyPart(async () => (await import('./CreateDialog.tsx')).CreateDialog);

/** Shows the dialog that creates resources while it is wanted; a link may have asked for it. */
export function CreateHost() {
  const { creating, linked } = useCreating();
  const request = useCell(creating);
  useEffect(() => {
    const wanted = linked.take();
    if (wanted !== undefined) creating.set(wanted);
  }, [creating, linked]);
  if (request === undefined) return null;
  // An answer that comes late closes its own dialog, not one that was opened since.
  const close = () => {
    if (creating.get() === request) creating.set(undefined);
  };
  return (
    <Optional what="The dialog that creates resources" onMissing={close}>
      <CreateDialog request={request} onClose={close} />
    </Optional>
  );
}
