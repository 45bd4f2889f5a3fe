import { type RouteCommand, route } from '../../src/registry/commands/command.ts';
import { titleOfPlural } from '../../src/registry/kinds/kind-title.ts';
import { listSearch, objectSearch } from '../../src/registry/commands/route-search.ts';
import { coreGroup, formatKindName, parseKindName } from '../../src/registry/kinds/resource-key.ts';
import { firstFacts } from '../kinds/first-facts.ts';

const screens = {
  list: () => import('../../src/web/features/list/ListPage.tsx'),
  object: () => import('../../src/web/features/detail/DetailPage.tsx'),
};

/** Validates a kind name; returns the id if it denotes a kind with a file, undefined if it is invalid. */
function checked(text: string): string | undefined {
  const name = parseKindName(text);
  if (name === undefined) return undefined;
  const declared = firstFacts.find(
    ({ group, plural, kind }) => group === name.group && (plural === name.word || kind === name.word),
  );
  return declared?.id ?? text;
}

/** Custom resources by the name of their definition. */
const byDefinition: RouteCommand['kindIn'] = {
  params: ['crdName'],
  name: ({ crdName = '' }) => checked(`crd:${crdName}`),
};

/** Any resource by API group (`core` for the core group) and plural or Kind. */
const byGroup: RouteCommand['kindIn'] = {
  params: ['group', 'plural'],
  name: ({ group = '', plural = '' }) =>
    checked(formatKindName({ group: group === coreGroup ? '' : group, word: plural })),
};

/** Lists and objects of kinds without a file. */
export const objectRoutes = [
  route({
    id: 'custom.list',
    // The plural alone is short enough for a tab.
    title: ({ args }) => titleOfPlural(args.crdName?.split('.', 1)[0]),
    group: 'Go to',
    icon: 'object',
    path: '/clusters/:clusterId/crds/:crdName',
    kindIn: byDefinition,
    shows: 'list',
    search: listSearch,
    load: screens.list,
  }),
  route({
    id: 'custom.open',
    title: ({ args }) => args.resourceName,
    group: 'Go to',
    icon: 'object',
    path: '/clusters/:clusterId/crds/:crdName/:resourceName',
    kindIn: byDefinition,
    shows: 'object',
    search: objectSearch,
    load: screens.object,
  }),
  route({
    id: 'custom.openNamespaced',
    title: ({ args }) => args.resourceName,
    group: 'Go to',
    icon: 'object',
    path: '/clusters/:clusterId/namespaces/:namespaceName/crds/:crdName/:resourceName',
    kindIn: byDefinition,
    shows: 'object',
    search: objectSearch,
    load: screens.object,
  }),
  route({
    id: 'objects.list',
    title: ({ args }) => titleOfPlural(args.plural),
    prompt: 'Open the list of any resource…',
    group: 'Go to',
    icon: 'object',
    path: '/clusters/:clusterId/objects/:group/:plural',
    kindIn: byGroup,
    shows: 'list',
    search: listSearch,
    load: screens.list,
  }),
  route({
    id: 'objects.open',
    title: ({ args }) => args.name,
    prompt: 'Open any object…',
    group: 'Go to',
    icon: 'object',
    path: '/clusters/:clusterId/objects/:group/:plural/:name',
    kindIn: byGroup,
    shows: 'object',
    search: objectSearch,
    load: screens.object,
  }),
  route({
    id: 'objects.openNamespaced',
    title: ({ args }) => args.name,
    group: 'Go to',
    icon: 'object',
    path: '/clusters/:clusterId/namespaces/:namespaceName/objects/:group/:plural/:name',
    kindIn: byGroup,
    shows: 'object',
    search: objectSearch,
    load: screens.object,
  }),
];
