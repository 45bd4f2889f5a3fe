import { useQuery } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import type { ReleaseContents } from '../../../contract/releases.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { useData } from '../../data/port.ts';
import { shownFor } from '../../frame/use-revealed.ts';
import { useLeft } from '../../workspace/use-left.ts';

/** The contents of a revision, masked. Not read without a revision. */
export function useContents({ cluster, namespace = '', name }: ObjectRef, revision: number | undefined) {
  const { api } = useData();
  return useQuery({
    queryKey: ['release-contents', cluster, namespace, name, revision],
    enabled: revision !== undefined,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: ({ signal }) =>
      api.releaseContents(
        { params: { clusterId: Number(cluster), namespace, name, revision: revision ?? 0 } },
        { signal },
      ),
  });
}

export interface RevealedContents {
  readonly contents: ReleaseContents | undefined;
  readonly isBusy: boolean;
  readonly failure: unknown;
  readonly reveal: () => void;
  readonly hide: () => void;
}

/**
 * The same with nothing masked, once somebody asks for it: that is on record. Forgotten after a minute, for another
 * revision, and when the view is left.
 */
export function useRevealedContents(
  { cluster, namespace = '', name }: ObjectRef,
  revision: number | undefined,
): RevealedContents {
  const { api } = useData();
  const [contents, setContents] = useState<ReleaseContents | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(undefined);
  /** Goes up whenever it is hidden: what was asked for before must not show after. */
  const epoch = useRef(0);
  const timer = useRef(0);
  const place = JSON.stringify([cluster, namespace, name, revision]);

  const hide = useCallback(() => {
    epoch.current += 1;
    window.clearTimeout(timer.current);
    setContents(undefined);
  }, []);
  const known = useLeft(place, hide);
  const reveal = () => {
    if (revision === undefined) return;
    const asked = epoch.current;
    setBusy(true);
    setFailure(undefined);
    api
      .revealRelease({ params: { clusterId: Number(cluster), namespace, name, revision } })
      .then((answer) => {
        if (asked !== epoch.current || known.current !== place) return;
        setContents(answer);
        timer.current = window.setTimeout(hide, shownFor);
      })
      .catch(setFailure)
      .finally(() => setBusy(false));
  };

  return { contents, isBusy, failure, reveal, hide };
}
