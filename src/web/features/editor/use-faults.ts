import { useMemo } from 'react';
import type { FieldIssue } from './Issues.tsx';
import type { Parsed } from './use-parsed.ts';
import type { EditorFault } from './editor-props.ts';

const noFaults: readonly never[] = [];

/**
 * The marks in a text: the parser's errors, if its answer is for the current text, and fields that the cluster refused.
 */
export function useFaults(
  parsed: Parsed | undefined,
  text: string,
  refused: readonly FieldIssue[] = noFaults,
): readonly EditorFault[] {
  return useMemo(() => {
    const ofFields = refused.flatMap(({ path, message, place }) =>
      place === undefined ? [] : [{ ...place, message: `${path}: ${message}` }],
    );
    if (parsed?.text !== text || parsed.manifest.type !== 'invalid') return ofFields;
    const { line, column = 1, bare } = parsed.manifest;
    return line === undefined ? ofFields : [{ line, column, message: bare }, ...ofFields];
  }, [parsed, text, refused]);
}
