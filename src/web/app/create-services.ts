import type { Source } from '../../registry/commands/invocation.ts';
import type { Services, Toaster } from '../../registry/commands/services.ts';
import type { Moment } from '../core/commands.ts';
import { helpUrlOf } from '../data/help-url.ts';
import { objectPath } from '../data/object-path.ts';
import { openingNow } from '../features/palette/opening.ts';
import { focusView } from '../kit/focus.ts';
import { loadLaterParts } from '../kit/lazy-later.ts';
import { holdingKeys, openingDialog } from '../kit/open-guards.ts';
import { focusedTab } from '../workspace/layout.ts';
import type { WorkspacePort } from '../workspace/port.ts';
import type { AppParts } from './app.ts';
import { appearanceService } from './create-kept.ts';

/** Inputs of the services besides the parts of the page. */
interface ServiceParts {
  readonly moment: Moment;
  readonly toaster: Toaster;
  readonly signOut: () => Promise<void>;
  /** Loads the page anew for a session that acts in another company. */
  readonly begin: () => void;
}

const focusedIn = ({ workspace }: WorkspacePort) => focusedTab(workspace.state.get().layout).id;

/** The commands' access to the focused view. Code that only keys need is loaded by them: no list waits for it. */
function viewService(parts: AppParts, toast: Toaster): Services['view'] {
  const { registry, tiles, data } = parts;
  const places = { registry, kinds: data.kinds, workspace: tiles.workspace };
  return {
    list: () => tiles.lists.of(focusedIn(tiles)),
    log: () => tiles.logs.of(focusedIn(tiles)),
    graph: () => tiles.graphs.of(focusedIn(tiles)),
    tool: () => tiles.tools.of(focusedIn(tiles)),
    compareList: async () => (await import('../workspace/namespace.ts')).compareList(places),
    chooseNamespace: async (namespace) =>
      (await import('../workspace/namespace.ts')).chooseNamespace(places, namespace),
    toggleExcluded: async () =>
      (await import('../workspace/namespace.ts')).toggleExcluded({ ...places, ...data }),
    chooseNumbered: async (number) =>
      (await import('../workspace/namespace.ts')).chooseNumbered({ ...places, ...data, toast }, number),
    tab: () => focusedIn(tiles),
    walk: (by) => holdingKeys(async () => (await import('../workspace/walk.ts')).walk(focusedIn(tiles), by)),
    scroll: (by) =>
      holdingKeys(async () => (await import('../workspace/walk.ts')).scrollView(focusedIn(tiles), by)),
    linePath: () =>
      document.activeElement?.closest('[role=tabpanel] a[href^="/"]')?.getAttribute('href') ?? undefined,
    focus: () => focusView(focusedIn(tiles)),
  };
}

/** Opens objects and acts on them. What acting needs is loaded with the first action. */
function objectsService(
  { tiles, data, acting, keyboard }: AppParts,
  toast: Toaster,
  log: Services['log'],
): Services['objects'] {
  const objects: Services['objects'] = {
    open: (ref, target, view, search = {}) => {
      const further = new URLSearchParams(search).toString();
      const path = objectPath(ref, view === undefined || further === '' ? view : `${view}&${further}`);
      if (path === undefined) toast.info(`This console has no page for ${ref.name}.`);
      else tiles.workspace.open(path, target);
    },
    act: async (actionId, refs, args, source) => {
      const pressed = keyboard.typedRun.follow();
      const begin = async () => {
        const { beginAction } = await import('../features/actions/run-action.ts');
        await beginAction(
          { ...data, ...acting, pressed, toast, log, objects },
          { actionId, refs, ...(args === undefined || Object.keys(args).length === 0 ? {} : { args }) },
          source,
        );
      };
      await openingDialog(source, begin, () => acting.acting.get() !== undefined);
    },
    undo: async () => (await import('../features/actions/held-changes.ts')).undo(acting.heldChanges, toast),
  };
  return objects;
}

/** Copies what names objects and tabs. What copying needs is loaded with the first copy. */
function clipboardService({ data }: AppParts, toast: Toaster): Services['clipboard'] {
  return {
    copyObjects: async (what, refs) =>
      (await import('../features/actions/copy-object.ts')).copyObjects({ ...data, toast }, what, refs),
    copyLink: async (href) =>
      (await import('../kit/copy.ts')).copyText('Link', location.origin + href, toast),
  };
}

/** Acts on people and invitations. What acting needs is loaded with the first act. */
function organisationService(
  { data, organisation }: AppParts,
  { atHand }: Moment,
  toast: Toaster,
): Services['organisation'] {
  const acts = async () =>
    (await import('../features/organisation/organisation-acts.ts')).organisationActs({
      ...data,
      ...organisation,
      toast,
    });
  const asking = (source: Source | undefined, run: () => Promise<void>) =>
    openingDialog(source, run, () => organisation.dialog.get() !== undefined);
  return {
    people: () => {
      const { people = [], person } = atHand();
      if (people.length > 0) return people;
      return person === undefined ? [] : [person];
    },
    invitation: () => atHand().invitation,
    act: (act, userIds, source) => asking(source, async () => (await acts()).act(act, userIds, source)),
    setRole: async (userIds, role) => (await acts()).setRole(userIds, role),
    addToTeam: async (userIds, teamId, role) => (await acts()).addToTeam(userIds, teamId, role),
    actOnInvitation: (act, inviteId, source) =>
      asking(source, async () => (await acts()).actOnInvitation(act, inviteId, source)),
  };
}

/** The bell, and what is followed. What following needs is loaded with the first time. */
function notificationService(
  { data, notifications, keyboard }: AppParts,
  toast: Toaster,
): Services['notifications'] {
  const work = () => import('../features/notifications/notification-work.ts');
  const parts = { ...data, toast };
  const asked = (source: Source | undefined) =>
    source === 'key' ? { ...parts, pressed: keyboard.typedRun.follow() } : parts;
  return {
    toggle: () => notifications.isOpen.update((isOpen) => !isOpen),
    changeAll: async (change) => (await work()).changeAll(parts, change),
    follow: async (clusterId, things, source) => {
      const from = asked(source);
      await (await work()).toggleFollow(from, clusterId, things);
    },
    tellWhenReady: async (refs, source) => {
      const from = asked(source);
      await (await work()).tellWhenReady(from, refs);
    },
  };
}

function paletteService({ palette, keyboard, tiles }: AppParts, moment: Moment): Services['palette'] {
  const { palette: opening, shownPalette } = palette;
  const now = (text: string) =>
    openingNow({ moment, keymap: keyboard.keymap, workspace: tiles.workspace }, text);
  return {
    toggle: (text = '') => {
      // In the first moments what shows it is not there yet.
      loadLaterParts();
      if (opening.get() === undefined) opening.set(now(text));
      // Until it shows, whoever presses its key again wants it, and what is typed is its text.
      else if (shownPalette.get() !== undefined) opening.set(undefined);
    },
    ask: (asks, args) => opening.set({ ...now(''), asks, ...(args === undefined ? {} : { args }) }),
    move: (by) => shownPalette.get()?.move(by),
    take: (target) => shownPalette.get()?.take(target),
    openActions: () => shownPalette.get()?.openActions(),
    back: () => shownPalette.get()?.back(),
  };
}

/** Acknowledges trouble, and helps against it. What that needs is loaded with the first time. */
function attentionService(
  { data }: AppParts,
  { atHand }: Moment,
  toast: Toaster,
  { log, objects, create }: Pick<Services, 'log' | 'objects' | 'create'>,
): Services['attention'] {
  return {
    trouble: () => atHand().trouble,
    acknowledge: async (trouble, time) =>
      (await import('../features/attention/acknowledge.ts')).acknowledge(
        { ...data, toast, log, now: () => new Date() },
        trouble,
        time,
      ),
    help: async (trouble) =>
      (await import('../features/attention/line-help.ts')).helpAgainst({ ...data, objects, create }, trouble),
  };
}

function sessionService(
  { tiles, data, kept }: AppParts,
  own: Pick<ServiceParts, 'signOut' | 'begin'> & Pick<Services, 'toast' | 'log'>,
): Services['session'] {
  const forgetPlaces = () => {
    const userId = data.queryClient.getQueryData(data.queries.session.queryKey)?.id;
    if (userId !== undefined) {
      // Names of the former company's objects are in them.
      kept.recents.places(userId).set([]);
      kept.recents.runs(userId).set([]);
    }
  };
  const begin = () => {
    forgetPlaces();
    own.begin();
  };
  const switchCompany = async (companyId: number) =>
    (await import('./switch-company.ts')).switchCompany(
      { ...data, toast: own.toast, log: own.log, forgetPlaces, begin },
      companyId,
    );
  return {
    logout: async () => tiles.workspace.leaveAll(() => void own.signOut()),
    // Texts that are not applied yet are asked about first.
    switchCompany: async (companyId) => tiles.workspace.leaveAll(() => void switchCompany(companyId)),
    begin,
  };
}

/** Makes what commands are run over: the page's side of the interfaces that `registry/services.ts` declares. */
export function createServices(parts: AppParts, own: ServiceParts): Services {
  const { moment, toaster, signOut, begin } = own;
  const { tiles, data, kept, keyboard, creating } = parts;
  const { api, queryClient, queries } = data;
  const log: Services['log'] = (message, error) => console.error(message, error);
  const objects = objectsService(parts, toaster, log);
  const create: Services['create'] = { open: (request) => creating.creating.set(request) };
  return {
    // The registry's interface knows only the part of an AbortSignal it needs.
    api: api as unknown as Services['api'],
    workspace: tiles.workspace,
    toast: toaster,
    appearance: appearanceService(kept),
    session: sessionService(parts, { signOut, begin, toast: toaster, log }),
    preferences: {
      setChanges: async (changes) => {
        const saved = await api.savePreferences({ body: { changes } });
        const userId = queryClient.getQueryData(queries.session.queryKey)?.id ?? 0;
        queryClient.setQueryData(queries.preferences(userId).queryKey, saved);
      },
    },
    log,
    view: viewService(parts, toaster),
    help: {
      showKeys: () => keyboard.keySheet.set(true),
      openCommunity: () => {
        const url = helpUrlOf(data);
        if (url !== undefined) window.open(url, '_blank', 'noopener,noreferrer');
      },
      lead: () => toaster.info('This key works only while a terminal has the focus.'),
    },
    objects,
    organisation: organisationService(parts, moment, toaster),
    clipboard: clipboardService(parts, toaster),
    create,
    dialog: { submit: async () => (await import('../kit/submit-dialog.ts')).submitDialog(toaster) },
    notifications: notificationService(parts, toaster),
    attention: attentionService(parts, moment, toaster, { log, objects, create }),
    subscription: { showPlans: () => parts.subscription.isChoosing.set(true) },
    palette: paletteService(parts, moment),
  };
}
