import { useRef, useState } from 'react';
import { tellFailure } from '../../registry/commands/execute.ts';
import { useCommands } from '../core/commands.ts';
import { useData } from '../data/port.ts';
import { rereadOrganisation } from '../data/reread-organisation.ts';

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

/** Reads anew whatever a change of the organisation may concern. */
export function useReread(): () => Promise<void> {
  const data = useData();
  return () => rereadOrganisation(data);
}
