import { useWorkspace } from '../workspace/port.ts';
import { useCell } from '../core/state/state.ts';
import { Optional } from '../kit/Optional.tsx';
import { lazyPart } from '../kit/lazy-part.ts';

const LosingDialog = lazyPart(async () => (await import('./LosingDialog.tsx')).LosingDialog);

/** Asks before tabs are closed that hold something which would be lost with them. */
export function LosingHost() {
  const { losing } = useWorkspace();
  const wanted = useCell(losing);
  if (wanted === undefined) return null;
  const close = () => losing.set(undefined);
  return (
    <Optional what="The dialog that asks before you leave" onMissing={close}>
      <LosingDialog losing={wanted} onClose={close} />
    </Optional>
  );
}
