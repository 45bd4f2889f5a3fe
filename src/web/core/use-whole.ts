import { useEffect, useEffectEvent } from 'react';
import { useCell } from './state/state.ts';
import { useCommands } from './commands.ts';

/**
 * Whether every command is loaded, and loads the missing ones: views that list commands under a pointer wait for all of
 * them, because entries that arrive later would move those already shown.
 * @param onFailure they could not be loaded, which the person has been told
 */
export function useWhole(onFailure?: () => void): boolean {
  const { isWhole, whole } = useCommands();
  const isThere = useCell(isWhole);
  const fail = useEffectEvent(() => onFailure?.());
  useEffect(() => {
    if (!isThere) whole().catch(() => fail());
  }, [isThere, whole]);
  return isThere;
}
