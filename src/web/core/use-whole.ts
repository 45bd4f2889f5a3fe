import { useEffect, useEffectEvent } from 'react';
import { useCell } from './state/state.ts';
import { useCommands } from './commands.ts';

/**
 * Whether every command is there. Where some are still to come, this asks for them: what lists commands under a pointer
 * waits for all of them, since entries that came later would move those that are there.
 * @param onFailure they could not be loaded, which the person has been told
 */
export function useWhole(onFailure: () => void): boolean {
  const { isWhole, whole } = useCommands();
  const isThere = useCell(isWhole);
  const fail = useEffectEvent(onFailure);
  useEffect(() => {
    if (!isThere) whole().catch(() => fail());
  }, [isThere, whole]);
  return isThere;
}
