import { QueryClient } from '@tanstack/react-query';
import { firstCommands } from '../../../commands/first.ts';
import { execute } from '../../registry/execute.ts';
import { splitHref } from '../../registry/path.ts';
import { createRegistry, routesOf } from '../../registry/registry.ts';
import type {
  Appearance,
  CreateRequest,
  FocusedGraph,
  FocusedLog,
  FocusedTool,
  Services,
} from '../../registry/services.ts';
import type { Acting } from '../features/actions/acting.ts';
import type { HeldChange } from '../features/actions/held-changes.ts';
import { createClient } from '../data/client.ts';
import { createKnownKinds } from '../core/kinds/known.ts';
import { createLive } from '../data/live/live.ts';
import { helpUrlOf } from './moment.ts';
import { createKnownData } from '../data/live/known.ts';
import { wakeOn } from '../data/live/wake.ts';
import { objectPath } from '../data/object-path.ts';
import { createQueries } from '../data/queries.ts';
import type { TypedAhead } from '../features/edit/typed-ahead.ts';
import { applyTheme, createAppearance } from '../core/state/appearance.ts';
import { createColumnChoices } from '../core/state/columns.ts';
import { createKeymapStore } from '../core/state/keymap.ts';
import { createRecents } from '../core/state/recents.ts';
import { cell, observed } from '../core/state/state.ts';
import { createToaster } from '../kit/toast/toaster.ts';
import type { ShownPalette } from '../features/palette/shown.ts';
import { openingNow, type PaletteOpening } from '../features/palette/opening.ts';
import { createPublished, type PublishedList } from '../workspace/published.ts';
import { lacksNamespace } from '../workspace/chosen-namespace.ts';
import { focusView } from '../kit/focus.ts';
import { focusedTab } from '../workspace/layout.ts';
import type { Held } from '../workspace/use-held.ts';
import { namesTiles } from '../workspace/link.ts';
import { type BeforeClosing, createWorkspace } from '../workspace/workspace.ts';
import { takeLinkedCreate } from '../routing/address.ts';
import { browserPlace, consoleHistory } from '../routing/browser-place.ts';
import { drawing } from './Drawing.tsx';
import { sessionNow } from '../routing/guards.ts';
import { createConsoleRouter, matchIn } from '../routing/router.ts';
import { fetchOnce, openSocket } from './early.ts';
import type { App, Losing, Overlays, PendingKeys } from '../core/context.ts';
import { browserKeeper } from './keeper.ts';
import { storedLapse, storeLapse } from '../data/lapse.ts';
import { subjectNow } from './subject.ts';
import { dropHeld, keepHeldOnLeaving } from './held-on-leaving.ts';
import { forgetPlace, rememberPlace } from '../data/remember.ts';

const titlesKey = 'wheelhouse.titles';
const narrow = '(max-width: 767.98px)';

/** Makes the app of this page and ties its parts together. */
export function createApp(): App {
  // The address is put in order before anything reads it: a link's secret must not stay there.
  const addresses = consoleHistory();
  const router = createConsoleRouter(routesOf(firstCommands), addresses, {
    drawing,
    guards: {
      session: () => sessionNow(queryClient, queries.session),
      rememberPlace: () => rememberPlace(sessionStorage, workspace.address()),
    },
  });
  const registry = createRegistry(firstCommands, (href) => matchIn(router, href), false);
  const isWhole = observed(false);
  const queryClient = new QueryClient({
    defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: true, staleTime: 5_000 } },
  });
  const leaving = observed(false);
  const acting = cell<Acting | undefined>(undefined);
  const heldChanges = cell<readonly HeldChange[]>([]);
  const creating = cell<CreateRequest | undefined>(undefined);
  const palette = cell<PaletteOpening | undefined>(undefined);
  const shownPalette = cell<ShownPalette | undefined>(undefined);
  const toaster = createToaster();
  const lists = createPublished<PublishedList>();
  const logs = createPublished<FocusedLog>();
  const graphs = createPublished<FocusedGraph>();
  const tools = createPublished<FocusedTool>();
  const typedAhead = cell<TypedAhead | undefined>(undefined);
  const held = cell<Held>(new Map());
  const losing = cell<Losing | undefined>(undefined);
  const place = browserPlace(addresses);
  const lapse = observed(storedLapse(sessionStorage));
  lapse.subscribe(() => storeLapse(sessionStorage, lapse.get()));
  /** A call was answered 401: to sign-in, unless the page is there, and nothing leads back by itself. */
  const signedOut = (title: string) => {
    const known = queryClient.getQueryData(queries.session.queryKey);
    const isThere = splitHref(workspace.href()).pathname === registry.href('account.login');
    if (leaving.get() || known === null || isThere) return;
    dropHeld(heldChanges, toaster);
    rememberPlace(sessionStorage, workspace.address());
    if (known !== undefined) lapse.set({ userId: known.id, title, at: Date.now(), isFresh: true });
    live.close();
    queryClient.setQueryData(queries.session.queryKey, null);
    workspace.redirect(registry.href('account.login'));
  };
  const api = createClient({
    fetch: fetchOnce,
    cookies: () => document.cookie,
    place: location,
    onSignedOut: signedOut,
    log: (message) => console.error(message),
  });
  const queries = createQueries(api);
  const kinds = createKnownKinds({
    read: () => sessionStorage.getItem(titlesKey),
    write: (text) => sessionStorage.setItem(titlesKey, text),
  });
  const askBefore: BeforeClosing = (closing, go, isWay) => {
    const tabs = closing.filter((tab) => held.get().has(tab));
    if (tabs.length === 0) go();
    else losing.set({ tabs, go, isWay });
  };
  const workspace = createWorkspace(registry, place, askBefore, {
    kinds,
    isMissing: lacksNamespace((clusterId) =>
      queryClient.getQueryData(queries.namespaces(clusterId).queryKey),
    ),
  });
  if (namesTiles(place.href()) && !namesTiles(workspace.address())) {
    place.replace(workspace.address());
    toaster.warning('The tiles of this link could not be read', {
      detail: 'It was cut off or changed on its way: only the tile that had the focus shows.',
    });
  }

  const later = (run: () => void, ms: number) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  };
  const known = createKnownData(later);
  const live = createLive({
    connect: openSocket,
    now: () => Date.now(),
    random: () => Math.random(),
    later,
    build: document.querySelector<HTMLMetaElement>('meta[name="wheelhouse-build"]')?.content ?? '',
    onChanged: (changed) => {
      for (const [target, data] of changed) {
        if (data.kind !== undefined && 'kind' in target && target.type !== 'graph')
          kinds.learn(target.clusterId, target.kind, data.kind);
        known.put(target, data);
      }
    },
    onGrants: () => {
      void queryClient.invalidateQueries({ queryKey: ['permissions'] });
      void queryClient.invalidateQueries({ queryKey: queries.clusters.queryKey });
    },
    onJobs: (clusterId) => void queryClient.invalidateQueries({ queryKey: ['jobs', clusterId] }),
    onPreferences: () => {
      for (const key of ['keymap', 'filters', 'preferences'])
        void queryClient.invalidateQueries({ queryKey: [key] });
    },
    onSignedOut: signedOut,
  });
  wakeOn(window, document, () => live.wake());
  keepHeldOnLeaving(window, sessionStorage, heldChanges, toaster);

  const keeper = browserKeeper();
  const appearanceState = createAppearance(keeper);
  const showTheme = () => applyTheme(document.documentElement, appearanceState.get().theme);
  showTheme();
  appearanceState.subscribe(showTheme);
  const keySheet = observed(false);
  const keymap = createKeymapStore(registry.commands);
  const appearance: Appearance = {
    toggleSidebar: () =>
      appearanceState.update((value) => ({
        ...value,
        isSidebarOpen: !(value.isSidebarOpen ?? !matchMedia(narrow).matches),
      })),
    setTheme: (theme) => appearanceState.update((value) => ({ ...value, theme })),
    theme: () => appearanceState.get().theme,
    toggleTabLeaves: () => {
      const tabLeaves = appearanceState.get().tabLeaves !== true;
      appearanceState.update((value) => ({ ...value, tabLeaves }));
      return tabLeaves;
    },
  };

  const signOut = async () => {
    leaving.set(true);
    dropHeld(heldChanges, toaster);
    try {
      await api.logout({});
    } catch (error) {
      console.error('The server could not be told about the logout.', error);
    } finally {
      live.close();
      forgetPlace(sessionStorage);
      lapse.set(undefined);
      queryClient.clear();
      known.clear();
      queryClient.setQueryData(queries.session.queryKey, null);
      workspace.forget();
      workspace.redirect(registry.href('account.login'));
      leaving.set(false);
    }
  };
  const services: Services = {
    // The registry's interface knows only the part of an AbortSignal it needs.
    api: api as unknown as Services['api'],
    workspace,
    toast: toaster,
    appearance,
    session: {
      logout: async () => workspace.leaveAll(() => void signOut()),
    },
    preferences: {
      setChanges: async (changes) => {
        const saved = await api.savePreferences({ body: { changes } });
        const userId = queryClient.getQueryData(queries.session.queryKey)?.id ?? 0;
        queryClient.setQueryData(queries.preferences(userId).queryKey, saved);
      },
    },
    log: (message, error) => console.error(message, error),
    view: {
      list: () => lists.of(focusedTab(workspace.state.get().layout).id),
      log: () => logs.of(focusedTab(workspace.state.get().layout).id),
      graph: () => graphs.of(focusedTab(workspace.state.get().layout).id),
      tool: () => tools.of(focusedTab(workspace.state.get().layout).id),
      // No list waits for what is done with it by keys.
      compareList: async () => (await import('../workspace/namespace.ts')).compareList(app),
      chooseNamespace: async (namespace) =>
        (await import('../workspace/namespace.ts')).chooseNamespace(app, namespace),
      chooseNumbered: async (number) =>
        (await import('../workspace/namespace.ts')).chooseNumbered(app, number),
      tab: () => focusedTab(workspace.state.get().layout).id,
      // No list waits for what moves about on other pages.
      walk: async (by) =>
        (await import('../workspace/walk.ts')).walk(focusedTab(workspace.state.get().layout).id, by),
      scroll: async (by) =>
        (await import('../workspace/walk.ts')).scrollView(focusedTab(workspace.state.get().layout).id, by),
      linePath: () =>
        document.activeElement?.closest('[role=tabpanel] a[href^="/"]')?.getAttribute('href') ?? undefined,
      focus: () => focusView(focusedTab(workspace.state.get().layout).id),
    },
    help: {
      showKeys: () => keySheet.set(true),
      openCommunity: () => {
        const url = helpUrlOf(app);
        if (url !== undefined) window.open(url, '_blank', 'noopener,noreferrer');
      },
      lead: () => toaster.info('This key works while a terminal has the keys.'),
    },
    objects: {
      open: (ref, target, view) => {
        const path = objectPath(ref, view);
        if (path === undefined) toaster.info(`This console has no page for ${ref.name}.`);
        else workspace.open(path, target);
      },
      // What acting needs is loaded with the first action: no list waits for it.
      act: async (actionId, refs, args, source) => {
        const { beginAction } = await import('../features/actions/run-action.ts');
        await beginAction(
          {
            api,
            queryClient,
            queries,
            acting,
            kinds,
            live,
            heldChanges,
            toast: toaster,
            log: services.log,
            objects: services.objects,
          },
          {
            actionId,
            refs,
            ...(args === undefined || Object.keys(args).length === 0 ? {} : { args }),
          },
          source,
        );
      },
      undo: async () => (await import('../features/actions/held-changes.ts')).undo(heldChanges, toaster),
    },
    create: { open: (request) => creating.set(request) },
    dialog: { submit: async () => (await import('../kit/submit-dialog.ts')).submitDialog(toaster) },
    palette: {
      toggle: (text = '') => palette.set(palette.get() === undefined ? openingNow(app, text) : undefined),
      ask: (asks) => palette.set({ ...openingNow(app, ''), asks }),
      move: (by) => shownPalette.get()?.move(by),
      take: (target) => shownPalette.get()?.take(target),
      openActions: () => shownPalette.get()?.openActions(),
      back: () => shownPalette.get()?.back(),
    },
  };

  // Nothing is kept of a try that failed: the next one loads again.
  let completing: Promise<void> | undefined;
  const complete = () =>
    (completing ??= import('../../../commands/index.ts').then(
      ({ commands }) => {
        registry.complete(commands);
        keymap.setCommands(commands);
        isWhole.set(true);
      },
      (error: unknown) => {
        completing = undefined;
        throw error;
      },
    ));
  const whole = () =>
    complete().catch((error: unknown) => {
      toaster.error('The commands of this page could not be loaded. Check your connection and try again.');
      throw error;
    });
  const runNow: App['run'] = (id, args = {}, invocation = {}) =>
    void execute(
      registry.get(id),
      {
        subject: subjectNow({ workspace, registry, lists, graphs }),
        source: 'button',
        target: 'here',
        ...invocation,
        args,
      },
      services,
    );

  const app: App = {
    registry,
    isWhole,
    complete,
    whole,
    services,
    api,
    queries,
    queryClient,
    live,
    known,
    kinds,
    workspace,
    router,
    appearance: appearanceState,
    lists,
    logs,
    graphs,
    tools,
    typedAhead,
    held,
    losing,
    overlays: observed<Overlays>({ menu: 0, dialog: 0 }),
    lapse,
    leaving,
    acting,
    heldChanges,
    creating,
    linked: { take: takeLinkedCreate },
    palette,
    shownPalette,
    columnChoices: createColumnChoices(keeper),
    recents: createRecents(keeper),
    keymap,
    keySheet,
    pendingKeys: cell<PendingKeys | undefined>(undefined),
    run: (id, args, invocation) => {
      if (registry.has(id) || registry.isWhole) runNow(id, args, invocation);
      else
        whole().then(
          () => runNow(id, args, invocation),
          (error: unknown) => services.log(`The command ${id} could not be loaded.`, error),
        );
    },
  };
  return app;
}
