import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { KubeconfigContext } from '../../../contract/clusters.ts';
import { sentenceOf } from '../../../registry/commands/execute.ts';
import { useData } from '../../data/port.ts';

/** The contexts of a kubeconfig, as the server reads it. */
export interface ReadContexts {
  readonly contexts: readonly KubeconfigContext[];
  readonly isReading: boolean;
  readonly error: string | undefined;
}

/** Delay after the last key before the text is read, ms. */
const readDelay = 300;

/** Has the server read a kubeconfig, which stores nothing, once typing rests. */
export function useContexts(text: string): ReadContexts {
  const { api } = useData();
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), readDelay);
    return () => clearTimeout(timer);
  }, [text]);
  const isBlank = settled.trim() === '' || text.trim() === '';
  const read = useQuery({
    // Credentials do not belong into a key, which tools show: a running number stands for the text.
    queryKey: ['kubeconfig-contexts', keyFor(settled)],
    queryFn: ({ signal }) => api.readKubeconfig({ body: { kubeConfigContent: settled } }, { signal }),
    enabled: !isBlank,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  if (isBlank) return { contexts: [], isReading: false, error: undefined };
  return {
    contexts: read.isError ? [] : (read.data?.contexts ?? []),
    isReading: read.isFetching || settled !== text,
    error: read.isError ? sentenceOf(read.error) : undefined,
  };
}

let lastText = { text: '', key: 0 };

function keyFor(text: string): number {
  if (lastText.text !== text) lastText = { text, key: lastText.key + 1 };
  return lastText.key;
}
