import { fileURLToPath } from 'node:url';

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The module that asks for the first rows while the rest of the page loads. */
export const earlyModule: string = pathOf('../web/app/early.ts');

/** The screen of every list: what it imports is needed before the first list shows. */
export const listModule: string = pathOf('../web/features/list/ListPage.tsx');

/** Modules that load together once the first list shows: the remaining commands, and the parts that nobody waits for. */
export const laterModules: readonly string[] = [
  '../../commands/index.ts',
  '../registry/why-not.ts',
  '../web/features/notifications/News.tsx',
  '../web/features/notifications/OwnNews.tsx',
  '../web/features/subscription/SubscriptionHost.tsx',
  '../web/frame/Countdowns.tsx',
  '../web/kit/toast/Toasts.tsx',
  '../web/shell/AccessNews.tsx',
  '../web/shell/SidebarCustom.tsx',
  '../web/shell/StoreNotice.tsx',
].map(pathOf);

/** The palette, which loads in an idle moment. */
export const paletteModule: string = pathOf('../web/features/palette/Palette.tsx');
