import { useCallback } from 'react';
import type { User } from '../../contract/account.ts';
import { useApp } from '../app/context.ts';
import { forgetPlace, rememberedPlace } from '../app/remember.ts';
import { detourOf } from '../data/session.ts';

/** What follows a sign-in: the detour the person has to take, else the place they were in, else home. */
export function useEnter(): (user: User) => void {
  const { queryClient, queries, workspace, registry } = useApp();
  return useCallback(
    (user: User) => {
      queryClient.setQueryData(queries.session.queryKey, user);
      const detour = detourOf(user);
      if (detour !== undefined) {
        workspace.redirect(detour);
        return;
      }
      const place = rememberedPlace(sessionStorage);
      forgetPlace(sessionStorage);
      workspace.redirect(place ?? registry.href('home'));
    },
    [queryClient, queries, workspace, registry],
  );
}
