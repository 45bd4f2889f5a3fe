import { createContext, type Provider, useContext } from 'react';

/** A few related parts of the page: `app` creates them once, components ask for the port they need. */
export interface Port<Parts> {
  readonly Provider: Provider<Parts | undefined>;
  /** A hook: the parts. Throws where nothing provides them, which is a fault of the page. */
  readonly use: () => Parts;
}

/**
 * Declares a port. It stands in the folder whose parts it gives, so that a folder knows only the ports below it.
 * @param name what the parts are, for the message of the fault
 */
export function createPort<Parts>(name: string): Port<Parts> {
  const context = createContext<Parts | undefined>(undefined);
  return {
    Provider: context.Provider,
    use: () => {
      const parts = useContext(context);
      if (parts === undefined) throw new Error(`No ${name} is provided around this component.`);
      return parts;
    },
  };
}
