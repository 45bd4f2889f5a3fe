import { fileURLToPath } from 'node:url';

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The module that asks for the first rows while the rest of the page loads. */
export const earlyModule: string = pathOf('../web/app/early.ts');

/** The screen of every list: what it imports is needed before the first list shows. */
export const listModule: string = pathOf('../web/features/list/ListPage.tsx');
