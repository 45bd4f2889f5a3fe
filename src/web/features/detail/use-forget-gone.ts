import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { splitHref } from '../../../registry/path.ts';
import { useKept } from '../../core/state/port.ts';
import { useData } from '../../data/port.ts';
import { objectPath } from '../../data/object-path.ts';

/** Takes an object that is gone from the recent things of this person: the palette offers none that is not there. */
export function useForgetGone(self: ObjectRef, isGone: boolean): void {
  const { recents } = useKept();
  const { queries } = useData();
  const userId = useQuery(queries.session).data?.id;
  const path = objectPath(self);
  useEffect(() => {
    if (!isGone || userId === undefined) return;
    recents.places(userId).update((places) => places.filter(({ href }) => splitHref(href).pathname !== path));
    recents
      .runs(userId)
      .update((runs) => runs.filter(({ refs }) => !refs.some((ref) => objectPath(ref) === path)));
  }, [recents, userId, path, isGone]);
}
