import { useRef, useState } from 'react';
import { tellFailure } from '../../registry/execute.ts';
import { useCommands } from '../core/commands.ts';
import { useData } from '../data/port.ts';

/** Changes that controls of a page make at once, one after the other. */
export interface Changes {
  /** The name of the change that is being made. */
  readonly busy: string | undefined;
  /**
   * Makes a change once those before it are made, and reads the organisation anew, also after a failure, which is logged
   * and told in a toast. The same change again does nothing before it is made. Resolves to whether it was made.
   */
  readonly make: (name: string, change: () => Promise<unknown>) => Promise<boolean>;
}

/** For a page of the organisation: what its controls change. */
export function useChange(): Changes {
  const { services } = useCommands();
  const reread = useReread();
  const [busy, setBusy] = useState<string | undefined>(undefined);
  const waiting = useRef<ReadonlyMap<string, Promise<unknown>>>(new Map());
  const makeNow = async (name: string, change: () => Promise<unknown>) => {
    setBusy(name);
    try {
      await change();
      return true;
    } catch (error) {
      tellFailure(error, `The change “${name}” failed.`, services);
      return false;
    } finally {
      await reread();
      waiting.current = new Map([...waiting.current].filter(([one]) => one !== name));
      setBusy(undefined);
    }
  };
  return {
    busy,
    make: async (name, change) => {
      if (waiting.current.has(name)) return false;
      const before = [...waiting.current.values()].at(-1);
      const made = before === undefined ? makeNow(name, change) : before.then(() => makeNow(name, change));
      waiting.current = new Map([...waiting.current, [name, made]]);
      return await made;
    },
  };
}

/**
 * Reads teams, people, roles and clusters anew, as a change of any of them may concern the others. Lists come first: what
 * they no longer name is not asked for again.
 */
export function useReread(): () => Promise<void> {
  const { queryClient, queries } = useData();
  const { teams, members, invitations, roles, ownReach, clusters } = queries;
  return async () => {
    await Promise.all(
      [teams, members, invitations, roles, ownReach, clusters].map(({ queryKey }) =>
        queryClient.invalidateQueries({ queryKey, exact: true }),
      ),
    );
    const left = {
      teams: new Set(queryClient.getQueryData(teams.queryKey)?.map(({ id }) => id)),
      members: new Set(queryClient.getQueryData(members.queryKey)?.map(({ userId }) => userId)),
    };
    await queryClient.invalidateQueries({
      predicate: ({ queryKey: [list, id] }) =>
        (list === 'teams' || list === 'members') && typeof id === 'number' && left[list].has(id),
    });
  };
}
