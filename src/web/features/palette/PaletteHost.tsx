import { type ComponentType, useEffect, useState } from 'react';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { usePalette } from './port.ts';
import { useWorkspace } from '../../workspace/port.ts';
import { useCell } from '../../core/state/state.ts';
import type { PaletteProps } from './Palette.tsx';
import { wholeStyles } from '../../kit/whole-styles.ts';
import { useLongPending } from './use-long-pending.ts';

const load = async () => (await Promise.all([import('./Palette.tsx'), wholeStyles()]))[0];

/** Maximum time that a palette waits for the person's permissions, ms: without them most commands are missing. */
const patience = 3_000;

/** Shows the palette while it is open. Its code comes when the page is idle, so that the first key finds it there. */
export function PaletteHost() {
  const { moment, services, whole } = useCommands();
  const { queryClient, queries } = useData();
  const { workspace } = useWorkspace();
  const { palette } = usePalette();
  const opening = useCell(palette);
  const [Palette, setPalette] = useState<ComponentType<PaletteProps> | undefined>(undefined);
  // Should the shell go (the session ended), the palette does not come back with it.
  useEffect(() => () => palette.set(undefined), [palette]);
  const isWanted = opening !== undefined && Palette === undefined;
  useEffect(() => {
    if (Palette !== undefined) return undefined;
    const idle = setTimeout(() => {
      // Opening it tells when it cannot be had.
      load().catch(() => undefined);
    }, 2_000);
    return () => clearTimeout(idle);
  }, [Palette]);
  useEffect(() => {
    if (!isWanted) return;
    Promise.all([load(), whole()]).then(
      ([module]) => setPalette(() => module.Palette),
      (error: unknown) => {
        palette.set(undefined);
        services.log('The palette could not be loaded.', error);
        services.toast.error('The palette could not be loaded. Check your connection and try again.');
      },
    );
  }, [isWanted, palette, services, whole]);
  const isPermitted = opening?.isPermitted !== false;
  useEffect(() => {
    if (isPermitted) return undefined;
    const { clusterId } = workspace.state.get();
    const goOn = () => {
      const now = palette.get();
      if (now?.isPermitted === false) palette.set({ ...now, may: moment.may(), isPermitted: true });
    };
    const waiting = setTimeout(goOn, patience);
    if (clusterId !== undefined)
      queryClient.ensureQueryData(queries.permissions(clusterId)).then(goOn, () => undefined);
    return () => clearTimeout(waiting);
  }, [isPermitted, moment, queryClient, queries, workspace, palette]);
  if (opening === undefined) return null;
  if (Palette === undefined || !isPermitted) return <PaletteComing text={opening.text} />;
  return <Palette opening={opening} onClose={() => palette.set(undefined)} />;
}

/** Where the palette will be, while its code is on the way: what is typed shows. */
function PaletteComing({ text }: { readonly text: string }) {
  const isLate = useLongPending(true);
  return (
    <div className={isLate ? comingLook : 'sr-only'} role="status">
      {isLate && (
        <>
          <span className="min-w-0 flex-1 truncate text-text">{text}</span>
          <span className="text-(length:--text-xs) text-text-2">The palette is loading…</span>
        </>
      )}
    </div>
  );
}

const comingLook = [
  'fixed top-18 left-1/2 z-dialog flex min-h-11.5 w-[min(42.5rem,calc(100vw-1.5rem))] -translate-x-1/2 items-center gap-2',
  'rounded-lg border border-border bg-overlay px-3.5 text-(length:--text-md) shadow-overlay narrow:top-0 narrow:left-0 narrow:w-screen narrow:translate-x-0 narrow:rounded-none',
].join(' ');
