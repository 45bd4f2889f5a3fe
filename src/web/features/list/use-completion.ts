import { useEffect, useState } from 'react';
import type * as Completion from '../../../registry/filter/complete.ts';

/** The code that says how a filter may go on, which no list needs before somebody writes one. */
export type CompletionCode = typeof Completion;

let completionCode: CompletionCode | undefined;

/** The code that completes filters; undefined until it is loaded. @param isWanted somebody is in the field */
export function useCompletion(isWanted: boolean): CompletionCode | undefined {
  const [code, setCode] = useState(completionCode);
  useEffect(() => {
    if (!isWanted || code !== undefined) return undefined;
    let isMounted = true;
    import('../../../registry/filter/complete.ts').then(
      (module) => {
        completionCode = module;
        if (isMounted) setCode(module);
      },
      // The filter works without; the next time in the field asks again.
      (error: unknown) => console.error('The completion of filters could not be loaded.', error),
    );
    return () => {
      isMounted = false;
    };
  }, [isWanted, code]);
  return code;
}
