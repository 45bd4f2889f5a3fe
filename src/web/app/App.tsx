import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { execute } from '../../registry/commands/execute.ts';
import type { whyNot } from '../../registry/keys/why-not.ts';
import { loadLaterCalls } from '../data/client.ts';
import { kindById } from '../core/kinds/declared.ts';
import { KeyDispatcher } from '../keyboard/dispatcher.ts';
import { comingView, dialogRefuses } from '../kit/open-guards.ts';
import { isMac } from '../keyboard/Keys.tsx';
import { PersonalKeys } from '../keyboard/PersonalKeys.tsx';
import { typeAheadOfEditor } from '../features/edit/typed-ahead.ts';
import { ConsoleRoutes } from './Drawing.tsx';
import { lazyLater, loadLaterParts } from '../kit/lazy-later.ts';
import { Optional } from '../kit/Optional.tsx';
import { typedAhead } from '../features/palette/type-ahead.ts';
import type { App as AppParts } from './app.ts';
import { afterFirstContent } from './first-content.ts';
import { permissionComing } from './moment.ts';
import { Ports } from './Ports.tsx';

// No list waits for it: what is said before it is here shows once it is.
const Toasts = lazyLater(async () => (await import('../kit/toast/Toasts.tsx')).Toasts);
const IdentityHost = lazyLater(
  async () => (await import('../features/identity/IdentityHost.tsx')).IdentityHost,
);

// No list waits for the reasons why a key does nothing here.
let reasons: typeof whyNot | undefined;
const loadReasons = async () => {
  reasons = (await import('../../registry/keys/why-not.ts')).whyNot;
};

/** Delay after the first content before what is not part of it loads, ms: it is drawn first. */
const laterAfter = 500;
/** Delay before a failed load of the commands is retried, ms. */
const againAfter = 5_000;

/** The whole console. */
export function App({ app }: { readonly app: AppParts }) {
  // Parts, commands and calls that the first screen does not need load after its content; a key that needs more loads them at once.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = afterFirstContent(app, () => {
      timer = setTimeout(load, laterAfter);
    });
    function load(): void {
      loadLaterParts();
      Promise.all([loadReasons(), loadLaterCalls(), app.commands.complete()]).catch((error: unknown) => {
        app.commands.services.log('The commands could not be loaded; retrying', error);
        timer = setTimeout(load, againAfter);
      });
    }
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [app]);

  useEffect(() => installKeys(app), [app]);

  return (
    <Ports app={app}>
      <QueryClientProvider client={app.data.queryClient}>
        <PersonalKeys />
        <ConsoleRoutes router={app.router} />
        <Optional what="The dialog that confirms your identity">
          <IdentityHost />
        </Optional>
        <Optional what="Messages">
          <Toasts />
        </Optional>
      </QueryClientProvider>
    </Ports>
  );
}

/** Ties keys to the commands of the page; gives how to untie them. */
function installKeys(app: AppParts): () => void {
  const { commands, keyboard, palette, tiles, overlays, typedAhead: typed } = app;
  const { moment, registry, services } = commands;
  const dispatcher = new KeyDispatcher({
    bindings: () => keyboard.keymap.get().bindings,
    isMac,
    typedRun: keyboard.typedRun,
    context: moment.context,
    may: moment.may,
    whole: () => {
      // A key that does nothing says why, also in the first moments.
      const isThere = registry.isWhole && reasons !== undefined;
      const coming = isThere ? undefined : Promise.all([commands.whole(), loadReasons()]);
      const permission = permissionComing(app);
      return coming === undefined && permission === undefined ? undefined : Promise.all([coming, permission]);
    },
    run: (command) => {
      void execute(command, { args: {}, subject: moment.subject(), source: 'key', target: 'here' }, services);
    },
    whyNot: (strokes, context) =>
      reasons?.(keyboard.keymap.get().bindings, strokes, {
        context,
        may: moment.isPermissionKnown() ? moment.may() : undefined,
        kindTitle: (id) => kindById(id)?.title,
        clusterName: app.data.queryClient
          .getQueryData(app.data.queries.clusters.queryKey)
          ?.find(({ id }) => id === tiles.workspace.state.get().clusterId)?.name,
      }),
    refuses: (event) =>
      dialogRefuses(event) || app.acting.heldChanges.get().some((change) => change.pressed(event)),
    comingView,
    typeAhead: (key, at) => {
      const opening = palette.palette.get();
      if (opening === undefined)
        return typeAheadOfEditor({ ...tiles, registry, overlays, typedAhead: typed }, key, at);
      const shown = palette.shownPalette.get();
      if (shown !== undefined) return shown.typeAhead(key);
      const next = typedAhead(opening, key);
      // A key that the browser has for itself stays its own.
      if (next === 'left') return false;
      palette.palette.set(next);
      return true;
    },
    setPending: keyboard.pendingKeys.set,
  });
  return dispatcher.install(window);
}
