import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, useEffect, useMemo } from 'react';
import { execute } from '../../registry/execute.ts';
import type { whyNot } from '../../registry/why-not.ts';
import { kindById } from '../core/kinds/declared.ts';
import { useCell } from '../core/state/state.ts';
import { installDispatcher } from '../keyboard/dispatcher.ts';
import { isMac } from '../keyboard/Keys.tsx';
import { PersonalKeys } from '../keyboard/PersonalKeys.tsx';
import { AppContext, type App as AppParts } from '../core/context.ts';
import { typeAheadOfEditor } from '../features/edit/typed-ahead.ts';
import { ConsoleRoutes } from './Drawing.tsx';
import { Optional } from '../kit/Optional.tsx';
import { typedAhead } from '../features/palette/type-ahead.ts';
import { contextOf, isPermissionKnown, mayOf, permissionComing } from './moment.ts';
import { subjectNow } from './subject.ts';

// No list waits for it: what is said before it is here shows once it is.
const Toasts = lazy(async () => ({ default: (await import('../kit/toast/Toasts.tsx')).Toasts }));

// No list waits for the reasons why a key does nothing here.
let reasons: typeof whyNot | undefined;
const loadReasons = async () => {
  reasons = (await import('../../registry/why-not.ts')).whyNot;
};

/** So long after the first frame the commands that it does without are loaded (ms). */
const laterAfter = 1_000;
/** So long after a try that failed they are asked for again (ms). */
const againAfter = 5_000;

/** The whole console. */
export function App({ app }: { readonly app: AppParts }) {
  // What the first screen does without comes once it stands; a key that means more than is there asks for it at once.
  useEffect(() => {
    let timer = setTimeout(load, laterAfter);
    function load(): void {
      Promise.all([loadReasons(), app.complete()]).catch((error: unknown) => {
        app.services.log('The commands could not be loaded; they are asked for again', error);
        timer = setTimeout(load, againAfter);
      });
    }
    return () => clearTimeout(timer);
  }, [app]);
  // Everything that reads commands is drawn again once all of them are there.
  const isWhole = useCell(app.isWhole);
  const parts = useMemo(() => (isWhole ? { ...app } : app), [app, isWhole]);

  useEffect(
    () =>
      installDispatcher(window, {
        bindings: () => app.keymap.get().bindings,
        isMac,
        context: () => contextOf(app),
        may: () => mayOf(app),
        whole: () => {
          const commands = app.registry.isWhole ? undefined : app.whole();
          const permission = permissionComing(app);
          return commands === undefined && permission === undefined
            ? undefined
            : Promise.all([commands, permission]);
        },
        run: (command) => {
          void execute(
            command,
            { args: {}, subject: subjectNow(app), source: 'key', target: 'here' },
            app.services,
          );
        },
        whyNot: (strokes, context) =>
          reasons?.(app.keymap.get().bindings, strokes, {
            context,
            may: isPermissionKnown(app) ? mayOf(app) : undefined,
            kindTitle: (id) => kindById(id)?.title,
          }),
        typeAhead: (key, at) => {
          const opening = app.palette.get();
          if (opening === undefined) return typeAheadOfEditor(app, key, at);
          if (app.shownPalette.get() !== undefined) return false;
          app.palette.set(typedAhead(opening, key));
          return true;
        },
        setPending: app.pendingKeys.set,
      }),
    [app],
  );

  return (
    <AppContext value={parts}>
      <QueryClientProvider client={app.queryClient}>
        <PersonalKeys />
        <ConsoleRoutes />
        <Optional what="Messages">
          <Toasts />
        </Optional>
      </QueryClientProvider>
    </AppContext>
  );
}
