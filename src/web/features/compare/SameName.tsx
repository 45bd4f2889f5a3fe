import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { SearchResult } from '../../../contract/search.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { isFocusFree } from '../../kit/focus.ts';
import { useView } from '../../workspace/view.ts';
import { sameNameElsewhere } from './other.ts';

/** How soon it is asked again while the server reads names (ms). */
const readingInterval = 700;

interface SameNameProps {
  readonly self: ObjectRef;
  /** Nothing is compared yet: the first proposal gets the focus where nothing else has it. */
  readonly isFirstChoice: boolean;
  readonly onChoose: (other: ObjectRef) => void;
}

/** Proposes the objects of the same name in the other clusters, each a press away. */
export function SameName({ self, isFirstChoice, onChoose }: SameNameProps) {
  const { api, queries } = useData();
  const clusters = useQuery(queries.clusters).data ?? [];
  const found = useQuery<SearchResult>({
    queryKey: ['same name', self],
    staleTime: 30_000,
    retry: false,
    refetchInterval: ({ state }) => (state.data?.isReading === true ? readingInterval : false),
    queryFn: ({ signal }) =>
      api.search(
        {
          query: {
            q: self.name,
            kinds: self.kind,
            ...(self.namespace === undefined ? {} : { nearNamespace: self.namespace }),
          },
        },
        { signal },
      ),
  });
  const others = sameNameElsewhere(found.data?.hits ?? [], self);
  const { isFocused } = useView();
  const first = useRef<HTMLButtonElement>(null);
  const isThere = others.length > 0;
  useEffect(() => {
    if (isThere && isFirstChoice && isFocused && isFocusFree()) first.current?.focus();
  }, [isThere, isFirstChoice, isFocused]);
  if (others.length === 0) return null;
  return (
    <div
      className="flex flex-wrap items-center gap-2"
      role="group"
      aria-label="The same name in other clusters"
    >
      <span className="text-text-2">Same name in</span>
      {others.map((other, index) => (
        <Button
          key={`${other.cluster} ${other.namespace ?? ''}`}
          {...(index === 0 ? { ref: first } : {})}
          variant="secondary"
          size="sm"
          onClick={() => onChoose(other)}
        >
          {[
            clusters.find(({ id }) => String(id) === other.cluster)?.name ?? `cluster ${other.cluster}`,
            ...(other.namespace === self.namespace ? [] : [other.namespace]),
          ].join(' · ')}
        </Button>
      ))}
    </div>
  );
}
