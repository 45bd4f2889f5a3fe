import { lazy, Suspense } from 'react';
import { useApp } from '../app/context.ts';
import { useCell } from '../state/state.ts';

const LosingDialog = lazy(async () => ({ default: (await import('./LosingDialog.tsx')).LosingDialog }));

/** Asks before tabs are closed that hold something which would be lost with them. */
export function LosingHost() {
  const { losing } = useApp();
  const wanted = useCell(losing);
  if (wanted === undefined) return null;
  return (
    <Suspense>
      <LosingDialog losing={wanted} onClose={() => losing.set(undefined)} />
    </Suspense>
  );
}
