import type { SearchHit, SearchResult } from '../../../contract/search.ts';
import { searchLimit } from '../../../contract/search-limits.ts';
import { sentenceOf } from '../../../registry/commands/execute.ts';
import type { ApiClient } from '../../data/client.ts';

/** Which objects are looked for. */
export interface ObjectQuery {
  readonly q: string;
  readonly cluster?: number | undefined;
  /** Ids or resource keys, separated by commas. */
  readonly kinds?: string | undefined;
  readonly namespace?: string | undefined;
  readonly near?: number | undefined;
  readonly nearNamespace?: string | undefined;
  /** Also in the namespaces that the person leaves out. */
  readonly excluded?: 'shown' | undefined;
}

/** The answer of the server's index. */
export interface FoundObjects {
  readonly hits: readonly SearchHit[];
  readonly total: number;
  readonly clusters: number;
  /** Matches in namespaces that the person leaves out. */
  readonly excluded: number;
  readonly notes: readonly string[];
  /** The question these are the answer to. */
  readonly query: ObjectQuery | undefined;
  /** The answer to the present question is under way. */
  readonly isPending: boolean;
}

/** No answer. */
export const nothingFound: FoundObjects = {
  hits: [],
  total: 0,
  clusters: 0,
  excluded: 0,
  notes: [],
  query: undefined,
  isPending: false,
};

/** How soon it is asked again while the server reads a cluster's names (ms). */
const readingInterval = 700;

/** Inputs of a search in the server's index. */
export interface AskParts {
  readonly search: ApiClient['search'];
  /** The palette of this tab: a search ends the earlier ones on the server. */
  readonly palette: string;
  readonly later: (run: () => void, ms: number) => () => void;
  /** Called with each answer, including a failure. */
  readonly take: (found: FoundObjects) => void;
}

/**
 * Searches the server's index, and repeats while it is still being built. The returned function cancels: later answers
 * are dropped.
 */
export function askObjects(query: ObjectQuery, { search, palette, later, take }: AskParts): () => void {
  const abort = new AbortController();
  let cancel: (() => void) | undefined;
  const answer = (found: FoundObjects) => {
    if (!abort.signal.aborted) take(found);
  };
  const ask = () => {
    search({ query: { ...query, limit: searchLimit, palette } }, { signal: abort.signal }).then(
      ({ hits, total, clusters, excluded, notes, isReading }: SearchResult) => {
        answer({ hits, total, clusters, excluded, notes, query, isPending: isReading });
        if (isReading && !abort.signal.aborted) cancel = later(ask, readingInterval);
      },
      (error: unknown) => answer({ ...nothingFound, query, notes: [sentenceOf(error)] }),
    );
  };
  ask();
  return () => {
    abort.abort();
    cancel?.();
  };
}
