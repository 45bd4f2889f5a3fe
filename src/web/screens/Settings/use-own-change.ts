import { useState } from 'react';
import { tellFailure } from '../../../registry/commands/execute.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';

/** Changes of the own sign-in and sessions, one at a time; a failure is told in a toast. */
export function useOwnChange(): {
  /** The name of the change that is being made. */
  readonly busy: string | undefined;
  readonly make: (name: string, change: () => Promise<unknown>) => Promise<boolean>;
} {
  const { services } = useCommands();
  const { queryClient, queries } = useData();
  const [busy, setBusy] = useState<string | undefined>(undefined);
  return {
    busy,
    make: async (name, change) => {
      if (busy !== undefined) return false;
      setBusy(name);
      try {
        await change();
        return true;
      } catch (error) {
        tellFailure(error, 'The change failed.', services);
        return false;
      } finally {
        await queryClient.invalidateQueries({ queryKey: queries.identities.queryKey });
        await queryClient.invalidateQueries({ queryKey: queries.ownSessions.queryKey });
        setBusy(undefined);
      }
    },
  };
}
