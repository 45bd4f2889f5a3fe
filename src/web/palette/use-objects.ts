import { useEffect, useMemo, useState } from 'react';
import { type SearchHit, type SearchResult, searchLimit } from '../../contract/search.ts';
import { sentenceOf } from '../../registry/execute.ts';
import { useApp } from '../app/context.ts';

/** Which objects are looked for. */
export interface ObjectQuery {
  readonly q: string;
  readonly cluster?: number | undefined;
  /** Ids or resource keys, separated by commas. */
  readonly kinds?: string | undefined;
  readonly namespace?: string | undefined;
  readonly near?: number | undefined;
  readonly nearNamespace?: string | undefined;
}

/** What the server's index answered. */
export interface FoundObjects {
  readonly hits: readonly SearchHit[];
  readonly total: number;
  readonly clusters: number;
  readonly notes: readonly string[];
  /** The question these are the answer to. */
  readonly query: ObjectQuery | undefined;
  /** The answer to the present question is under way. */
  readonly isPending: boolean;
}

const nothing: FoundObjects = {
  hits: [],
  total: 0,
  clusters: 0,
  notes: [],
  query: undefined,
  isPending: false,
};
/** How soon it is asked again while the server reads a cluster's names (ms). */
const readingInterval = 700;

/**
 * Objects from the server's index. Only the answer to the latest question counts: earlier ones are given up. The last
 * answer stays until the next is there, so that a list does not flicker while somebody types.
 */
export function useObjects(query: ObjectQuery | undefined): FoundObjects {
  const { api } = useApp();
  const [found, setFound] = useState<{ readonly key: string; readonly value: FoundObjects }>({
    key: '',
    value: nothing,
  });
  const key = query === undefined ? '' : JSON.stringify(query);
  useEffect(() => {
    if (key === '') return undefined;
    const asked = JSON.parse(key) as ObjectQuery;
    const abort = new AbortController();
    let again: ReturnType<typeof setTimeout> | undefined;
    const take = (value: FoundObjects) => {
      if (!abort.signal.aborted) setFound({ key, value });
    };
    const ask = () => {
      api.search({ query: { ...asked, limit: searchLimit } }, { signal: abort.signal }).then(
        (result: SearchResult) => {
          const { hits, total, clusters, notes, isReading } = result;
          take({ hits, total, clusters, notes, query: asked, isPending: isReading });
          if (isReading && !abort.signal.aborted) again = setTimeout(ask, readingInterval);
        },
        (error: unknown) => take({ ...nothing, query: asked, notes: [sentenceOf(error)] }),
      );
    };
    ask();
    return () => {
      abort.abort();
      clearTimeout(again);
    };
  }, [api, key]);
  return useMemo(() => {
    if (key === '') return nothing;
    return found.key === key ? found.value : { ...found.value, isPending: true };
  }, [key, found]);
}
