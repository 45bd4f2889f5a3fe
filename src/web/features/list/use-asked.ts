import { useMemo } from 'react';
import { type FilterProblem, type FilterTerm, readFilter } from '../../../registry/filter/parse.ts';
import { useSeconds } from '../../data/now.ts';
import { fieldsOfColumns, regexesOf, rowFilter } from '../../data/rows/filter.ts';
import type { FilterAids } from '../../data/rows/matches.ts';
import type { PlacedColumn } from '../../data/rows/placed.ts';
import { type RegexEngine, useRegexEngine } from '../../data/rows/use-regex-engine.ts';

/** What a filter asks for, with what it needs to be answered. */
export interface AskedFilter extends FilterAids {
  readonly terms: readonly FilterTerm[];
  /** What is to be said about it, the worst first; undefined where all is well. */
  readonly problem: FilterProblem | undefined;
}

/** What is to be said about the regular expressions of a term. */
function regexProblem({ atoms }: FilterTerm, { compile, problem }: RegexEngine): FilterProblem | undefined {
  for (const source of regexesOf(atoms)) {
    const text = problem ?? compile?.(source);
    if (typeof text === 'string') return { type: 'wrong', text };
  }
  return undefined;
}

/** Reads a filter, and provides what it needs: the engine for regular expressions, and the time. */
export function useAsked(text: string, columns: readonly PlacedColumn[]): AskedFilter {
  const filter = useMemo(() => rowFilter(text, columns), [text, columns]);
  const engine = useRegexEngine(filter?.asksRegex === true);
  const now = useSeconds(filter?.asksTime === true);
  return useMemo(() => {
    const terms = readFilter(text, fieldsOfColumns(columns)).map((term): FilterTerm => {
      const problem = regexProblem(term, engine) ?? term.problem;
      return problem === undefined ? term : { ...term, problem };
    });
    const problems = terms.flatMap(({ problem }) => problem ?? []);
    const problem =
      problems.find(({ type }) => type === 'wrong') ??
      problems.find(({ type }) => type === 'note') ??
      problems[0];
    return { terms, problem, compile: engine.compile, now };
  }, [text, columns, engine, now]);
}
