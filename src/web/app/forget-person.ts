import type { App } from '../core/context.ts';
import { forgetPlace } from '../data/remember.ts';

/** Forgets everything of the person who worked in this page: what was asked for them, their tabs, text and place. */
export function forgetPerson(
  app: Pick<App, 'queryClient' | 'queries' | 'workspace' | 'creating' | 'acting' | 'palette'>,
): void {
  const { queryClient, queries } = app;
  const kept = new Set<unknown>([queries.session.queryKey[0], queries.signInOptions.queryKey[0]]);
  queryClient.removeQueries({ predicate: ({ queryKey }) => !kept.has(queryKey[0]) });
  app.creating.set(undefined);
  app.acting.set(undefined);
  app.palette.set(undefined);
  app.workspace.forget();
  forgetPlace(sessionStorage);
}
