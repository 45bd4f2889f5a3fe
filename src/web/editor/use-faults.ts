import { useMemo } from 'react';
import type { Parsed } from './use-parsed.ts';
import type { EditorFault } from './YamlEditor.tsx';

const none: readonly EditorFault[] = [];

/** What the parser points at in a text, where its answer is of the text as it is now. */
export function useFaults(parsed: Parsed | undefined, text: string): readonly EditorFault[] {
  return useMemo(() => {
    if (parsed?.text !== text || parsed.manifest.type !== 'invalid') return none;
    const { line, column = 1, bare } = parsed.manifest;
    return line === undefined ? none : [{ line, column, message: bare }];
  }, [parsed, text]);
}
