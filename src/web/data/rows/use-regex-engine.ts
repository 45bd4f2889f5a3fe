import { useEffect, useState } from 'react';
import type { CompileRegex } from './regex.ts';

let loadedEngine: CompileRegex | undefined;

/** The engine for regular expressions, or why it is not there; neither while it loads. */
export interface RegexEngine {
  readonly compile?: CompileRegex;
  readonly problem?: string;
}

/** Loads the engine for regular expressions where one is asked for. */
export function useRegexEngine(isWanted: boolean): RegexEngine {
  const [engine, setEngine] = useState<RegexEngine>(() =>
    loadedEngine === undefined ? {} : { compile: loadedEngine },
  );
  const isMissing = isWanted && engine.compile === undefined;
  useEffect(() => {
    if (!isMissing) return undefined;
    let isOver = false;
    import('./regex-engine.ts').then(
      ({ compileRegex }) => {
        loadedEngine = compileRegex;
        if (!isOver) setEngine({ compile: compileRegex });
      },
      () => {
        if (!isOver)
          setEngine({
            problem: 'Regular expressions could not be loaded. Reload the page.',
          });
      },
    );
    return () => {
      isOver = true;
    };
  }, [isMissing]);
  return engine;
}
