import { lazy, Suspense, useEffect } from 'react';
import { useApp } from '../app/context.ts';
import { useCell } from '../state/state.ts';

const CreateDialog = lazy(async () => ({ default: (await import('./CreateDialog.tsx')).CreateDialog }));

/** Shows the dialog that creates resources while it is wanted; a link may have asked for it. */
export function CreateHost() {
  const { creating, linked } = useApp();
  const request = useCell(creating);
  useEffect(() => {
    const wanted = linked.take();
    if (wanted !== undefined) creating.set(wanted);
  }, [creating, linked]);
  if (request === undefined) return null;
  return (
    <Suspense>
      <CreateDialog request={request} onClose={() => creating.set(undefined)} />
    </Suspense>
  );
}
