import { useCallback } from 'react';
import type { User } from '../../contract/account.ts';
import { splitHref } from '../../registry/path.ts';
import { useCommands } from '../core/commands.ts';
import { useData } from '../data/port.ts';
import { useSignIn } from '../data/sign-in.ts';
import { useWorkspace } from '../workspace/port.ts';
import { googleClientId } from '../data/google-document.ts';
import { forgetPlace, rememberedPlace, rememberPlace } from '../data/remember.ts';
import { detourOf } from '../data/session.ts';
import { placeAfterSignIn } from './return-url.ts';

/**
 * The destination after a sign-in: a required detour, else the place that the sign-in page's returnUrl names, else the
 * previous place, else home.
 */
export function useEnter(): (user: User) => void {
  const { registry } = useCommands();
  const { queryClient, queries } = useData();
  const { lapse, unconfirmed, forgetPerson } = useSignIn();
  const { workspace } = useWorkspace();
  return useCallback(
    (user: User) => {
      const before = lapse.get();
      // Somebody else goes on here: nothing of who worked before is theirs.
      if (before !== undefined && before.userId !== user.id) forgetPerson();
      const place = placeAfterSignIn(splitHref(workspace.href()), rememberedPlace(sessionStorage));
      lapse.set(undefined);
      unconfirmed.set(false);
      queryClient.setQueryData(queries.session.queryKey, user);
      const detour = detourOf(user);
      if (detour === undefined) forgetPlace(sessionStorage);
      else if (place !== undefined) rememberPlace(sessionStorage, place);
      const next = detour ?? place ?? registry.href('home');
      // Script of somebody else may run in this document: the session goes on in a new one.
      if (googleClientId() === undefined) workspace.redirect(next);
      else location.replace(next);
    },
    [registry, queryClient, queries, lapse, unconfirmed, forgetPerson, workspace],
  );
}
