import { useCell } from '../../core/state/state.ts';
import { Optional } from '../../kit/Optional.tsx';
import { useOrganisation } from './port.ts';
import { lazyPart } from '../../kit/lazy-part.ts';

const AskedDialog = lazyPart(async () => (await import('./AskedDialog.tsx')).AskedDialog);
const SentDialog = lazyPart(async () => (await import('./SentDialog.tsx')).SentDialog);

/** Shows the dialog of an act on a person or an invitation, wherever it was begun. */
export function OrganisationHost() {
  const { dialog } = useOrganisation();
  const shown = useCell(dialog);
  if (shown === undefined) return null;
  // An answer that comes late closes its own dialog, not one that was opened since.
  const close = () => {
    if (dialog.get() === shown) dialog.set(undefined);
  };
  return (
    <Optional what="The dialog of this act" onMissing={close}>
      {shown.type === 'ask' ? (
        <AskedDialog asked={shown} onClose={close} />
      ) : (
        <SentDialog sent={shown.sent} onClose={close} />
      )}
    </Optional>
  );
}
