import { useCell } from '../../core/state/state.ts';
import { useData } from '../../data/port.ts';
import { Optional } from '../../kit/Optional.tsx';
import { lazyPart } from '../../kit/lazy-part.ts';

const IdentityDialog = lazyPart(async () => (await import('./IdentityDialog.tsx')).IdentityDialog);

/** Asks the person to confirm their identity, in front of whatever began the call that needs it. */
export function IdentityHost() {
  const { identity } = useData();
  const asked = useCell(identity.asked);
  if (asked === undefined) return null;
  return (
    <Optional what="The dialog that confirms your identity" onMissing={() => asked.answer(false)}>
      <IdentityDialog problem={asked.problem} onAnswer={asked.answer} />
    </Optional>
  );
}
