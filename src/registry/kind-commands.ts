import { type Command, route, type ScreenModule } from './command.ts';
import type { DeclaredFacts } from './kind-facts.ts';

/** The generic screens every kind is shown on. */
export interface KindScreens {
  readonly list: () => Promise<ScreenModule>;
}

/** The commands a kind brings along: its list page. */
export function commandsOf(kind: DeclaredFacts, screens: KindScreens): readonly Command[] {
  return [
    route({
      id: `${kind.id}.list`,
      title: kind.title,
      group: 'Go to',
      path: kind.paths.list,
      kind: kind.id,
      needs: kind.permissions.view,
      ...(kind.aliases === undefined ? {} : { keywords: kind.aliases }),
      ...(kind.sidebar === undefined
        ? {}
        : {
            icon: kind.sidebar.icon,
            places: [{ sidebar: kind.sidebar.section, order: kind.sidebar.order }],
          }),
      load: screens.list,
    }),
  ];
}
