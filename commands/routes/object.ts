import { route } from '../../src/registry/command.ts';

const load = () => import('../../src/web/resource/generic/GenericObject.tsx');

/** Lists and objects of resources that have no kind of their own. The group is `core` for the core group. */
export const objectRoutes = [
  route({
    id: 'objects.list',
    title: ({ args }) => args.plural,
    prompt: 'Open the list of any resource…',
    group: 'Go to',
    icon: 'object',
    path: '/clusters/:clusterId/objects/:group/:plural',
    load: () => import('../../src/web/resource/generic/GenericList.tsx'),
  }),
  route({
    id: 'objects.open',
    title: ({ args }) => args.name,
    prompt: 'Open any object…',
    group: 'Go to',
    icon: 'object',
    path: '/clusters/:clusterId/objects/:group/:plural/:name',
    load,
  }),
  route({
    id: 'objects.openNamespaced',
    title: ({ args }) => args.name,
    group: 'Go to',
    icon: 'object',
    path: '/clusters/:clusterId/namespaces/:namespaceName/objects/:group/:plural/:name',
    load,
  }),
];
