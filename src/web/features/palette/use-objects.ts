import { useEffect, useMemo, useState } from 'react';
import { useData } from '../../data/port.ts';
import { askObjects, type FoundObjects, nothingFound, type ObjectQuery } from './ask-objects.ts';

const runLater = (run: () => void, ms: number) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** Names the palette of this tab among those of its session; of no use to anybody else. */
const palette = Math.random().toString(36).slice(2);

/**
 * Objects from the server's index. Only the answer to the latest question counts: earlier ones are given up. The last
 * answer stays until the next is there, so that a list does not flicker while somebody types.
 */
export function useObjects(query: ObjectQuery | undefined): FoundObjects {
  const { api } = useData();
  const [found, setFound] = useState<{ readonly key: string; readonly value: FoundObjects }>({
    key: '',
    value: nothingFound,
  });
  const key = query === undefined ? '' : JSON.stringify(query);
  useEffect(() => {
    if (key === '') return undefined;
    return askObjects(JSON.parse(key) as ObjectQuery, {
      palette,
      search: (args, options) => api.search(args, options),
      later: runLater,
      take: (value) => setFound({ key, value }),
    });
  }, [api, key]);
  return useMemo(() => {
    if (key === '') return nothingFound;
    return found.key === key ? found.value : { ...found.value, isPending: true };
  }, [key, found]);
}
