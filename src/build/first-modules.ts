import { fileURLToPath } from 'node:url';

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** The module that asks for the first rows while the rest of the page loads. */
export const earlyModule: string = pathOf('src/web/app/early.ts');

/** The screen of every list: what it imports is needed before the first list shows. */
export const listModule: string = pathOf('src/web/features/list/ListPage.tsx');

/** The screen that most people who open no list begin with. */
export const homeModule: string = pathOf('src/web/screens/Home/Screen.tsx');

/**
 * Modules that every page loads once its first screen has its content, whoever looks at it: the remaining commands, and the parts of
 * the frame that nobody waits for. `tests/web/loaded-ahead.test.ts` keeps the list whole.
 */
export const laterModules: readonly string[] = [
  'commands/index.ts',
  'src/contract/later-calls.ts',
  'src/registry/filter/complete.ts',
  'src/registry/keys/why-not.ts',
  'src/web/features/identity/IdentityHost.tsx',
  'src/web/features/list/FilterAssist.tsx',
  'src/web/features/notifications/News.tsx',
  'src/web/features/notifications/OwnNews.tsx',
  'src/web/features/subscription/SubscriptionHost.tsx',
  'src/web/frame/Countdowns.tsx',
  'src/web/kit/toast/Toasts.tsx',
  'src/web/shell/AccessNews.tsx',
  'src/web/shell/Hosts.tsx',
  'src/web/shell/SidebarCustom.tsx',
  'src/web/shell/StoreNotice.tsx',
].map(pathOf);

/** Modules that a page loads ahead of the key that opens them, for a person of whom nothing is known: the palette. */
export const aheadModules: readonly string[] = ['src/web/features/palette/Palette.tsx'].map(pathOf);

const packageFile = (name: string) => fileURLToPath(import.meta.resolve(name));

/** Modules shared by parts that load when they are asked for: dialogs, menus, and the code of the kinds. */
export const sharedModules = {
  dialog: [packageFile('@radix-ui/react-dialog')],
  kinds: ['commands/kinds/index.ts', 'commands/kinds/custom.ts'].map(pathOf),
  menu: [packageFile('@radix-ui/react-dropdown-menu'), pathOf('src/web/kit/PlacedMenu.tsx')],
} as const;
