import { action, type Command, route, type ScreenModule } from './command.ts';
import type { ObjectRef } from './invocation.ts';
import type { ActionFacts, DeclaredFacts, FirstFacts } from '../kinds/kind-facts.ts';
import { paramNames } from '../path.ts';
import { listSearch, objectSearch } from './route-search.ts';
import type { RouteMatch } from './registry.ts';
import { viewFocus } from './when.ts';

/** The generic screens that show every kind. */
export interface KindScreens {
  readonly list: () => Promise<ScreenModule>;
  readonly detail: () => Promise<ScreenModule>;
}

/** The name of one object in words: `network policy`, for a plural that does not begin with it. */
const singularOf = (kind: string) => kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** The commands of a kind: its list page and the page of one object. */
export function commandsOf(kind: FirstFacts, screens: KindScreens): readonly Command[] {
  return [
    route({
      id: `${kind.id}.list`,
      title: kind.title,
      group: 'Go to',
      path: kind.paths.list,
      kind: kind.id,
      shows: 'list',
      search: listSearch,
      needs: kind.permissions.view,
      icon: kind.icon,
      keywords: [...(kind.aliases ?? []), singularOf(kind.kind)],
      ...(kind.sidebar === undefined
        ? {}
        : {
            places: [{ sidebar: kind.sidebar.section, order: kind.sidebar.order }],
            when: { shell: 'app', cluster: 'selected' },
            ...(kind.sidebar.keys === undefined ? {} : { keys: kind.sidebar.keys }),
          }),
      load: screens.list,
    }),
    ...(kind.paths.detail ?? []).map((path, index) =>
      route({
        id: `${kind.id}.open${index === 0 ? '' : 'Also'.repeat(index)}`,
        title: ({ args }: { readonly args: Readonly<Record<string, string>> }) =>
          args[paramNames(path).at(-1) ?? ''] ?? kind.kind,
        // The second path of an object leads to the same page and needs no command of its own.
        ...(index === 0
          ? {
              prompt: `Open ${kind.kind}…`,
              keywords: ['describe', 'details', 'show', 'view', ...(kind.aliases ?? [])],
            }
          : {}),
        group: 'Go to',
        path,
        kind: kind.id,
        shows: 'object',
        search: objectSearch,
        needs: kind.permissions.view,
        icon: kind.icon,
        load: screens.detail,
      }),
    ),
  ];
}

/** The value of `kind` in `when` for all kinds without a file; no id of a kind has a tilde. */
export const kindsWithoutFile = '~';

/** Id or name of the kind whose objects a route shows; undefined if there is none or it is invalid. */
export function kindOfRoute(match: RouteMatch | undefined): string | undefined {
  return match?.command.kind ?? match?.command.kindIn?.name(match.params);
}

/** The object that a route shows: the last parameter of its path is the name, the one before it the namespace. */
export function objectOfRoute(match: RouteMatch | undefined): ObjectRef | undefined {
  const kind = kindOfRoute(match);
  if (match?.command.shows !== 'object' || kind === undefined) return undefined;
  const { clusterId: cluster = '' } = match.params;
  const others = ['clusterId', ...(match.command.kindIn?.params ?? [])];
  const names = paramNames(match.command.path).filter((name) => !others.includes(name));
  const [name, namespace] = names.toReversed().map((one) => match.params[one] ?? '');
  if (name === undefined || name === '') return undefined;
  return { cluster, kind, ...(namespace === undefined ? {} : { namespace }), name };
}

/** Values for the parameters of an object's path. */
export function objectParams(path: string, ref: ObjectRef): Readonly<Record<string, string>> {
  const names = paramNames(path).filter((name) => name !== 'clusterId');
  const [name = '', namespace] = names.toReversed();
  return {
    clusterId: ref.cluster,
    [name]: ref.name,
    ...(namespace === undefined ? {} : { [namespace]: ref.namespace ?? '' }),
  };
}

/** Every action on objects once, with the ids of the kinds that have it. */
function sharedActions(
  kinds: readonly DeclaredFacts[],
): readonly { readonly facts: ActionFacts; readonly kinds: readonly DeclaredFacts[] }[] {
  const byId = new Map<string, { facts: ActionFacts; kinds: DeclaredFacts[] }>();
  for (const kind of kinds) {
    for (const facts of kind.actions) {
      const known = byId.get(facts.id);
      if (known === undefined) byId.set(facts.id, { facts, kinds: [kind] });
      else known.kinds.push(kind);
    }
  }
  return [...byId.values()];
}

/**
 * The actions on objects as commands, from which keys, palette and help derive. If kinds need different permissions,
 * any of them shows the command; the server decides for each object.
 * @param custom actions that only kinds without a file have
 */
export function objectActionCommands(
  kinds: readonly DeclaredFacts[],
  custom: readonly ActionFacts[] = [],
): readonly Command[] {
  const served = kinds.filter(({ source }) => source === undefined).length;
  const ofCustom = custom.map((facts) => ({ facts, kinds: [] }));
  return [...sharedActions(kinds), ...ofCustom].map(({ facts, kinds: having }) => {
    const isCustom = having.length === 0;
    const any = isCustom
      ? (['resources.manage'] as const)
      : having.flatMap(({ permissions }) => {
          const need = facts.needs ?? permissions.manage;
          // Owners have every permission, so kinds that only they change add nobody.
          return need === 'owner' ? [] : [need];
        });
    // Actions of every kind apply to kinds without a file as well.
    const on = [
      ...having.map(({ id }) => id),
      ...(isCustom || having.length === served ? [kindsWithoutFile] : []),
    ];
    return action({
      id: facts.id,
      title: facts.title,
      group: 'Objects',
      icon: facts.icon,
      when: { focus: viewFocus, kind: on },
      actsOn: on,
      needs: { any },
      ...(facts.keys === undefined ? {} : { keys: facts.keys }),
      ...(facts.keywords === undefined ? {} : { keywords: facts.keywords }),
      ...(facts.dangerous === true ? { dangerous: true as const } : {}),
      changes: true,
      ...(facts.harsherThan === undefined ? {} : { harsherThan: facts.harsherThan }),
      enabled: ({ subject }) => (subject.type === 'objects' ? true : 'Choose a row first.'),
      ...(facts.args === undefined ? {} : { args: facts.args }),
      run: async ({ subject, args, source }, { objects }) => {
        if (subject.type === 'objects') await objects.act(facts.id, subject.refs, args, source);
      },
    });
  });
}
