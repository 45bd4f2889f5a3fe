import { describe, expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { routedRegistry } from './routed.ts';

const lists = [
  'deployments',
  'pods',
  'services',
  'ingresses',
  'statefulsets',
  'persistentvolumeclaims',
  'cronjobs',
  'jobs',
  'secrets',
  'scaledobjects',
  'hpas',
  'events',
];

/** Every path of the specification's section 2, with `:` for parameters. */
const specified: readonly string[] = [
  '/login',
  '/subscription/callback',
  '/invite-not-found',
  '/invite-rejected',
  '/tests/toast-test',
  '/tests/action-button-test',
  '/',
  '/settings',
  '/settings/teams',
  '/settings/teams/:',
  '/settings/permissions',
  '/settings/my-permissions',
  '/settings/organization/members',
  '/settings/organization/members/:',
  '/setup-company',
  '/subscription/cancel',
  '/clusters',
  '/clusters/:',
  '/clusters/:/namespaces',
  '/clusters/:/namespaces/:',
  '/clusters/:/namespaces/:/deployments/:',
  '/clusters/:/namespaces/:/statefulsets/:',
  '/clusters/:/namespaces/:/pods/:',
  '/clusters/:/namespaces/:/ingresses/:',
  '/clusters/:/namespaces/:/scaledobjects/:',
  '/clusters/:/namespaces/:/services/:',
  '/clusters/:/namespaces/:/persistentvolumeclaims/:',
  '/clusters/:/namespaces/:/cronjobs/:',
  '/clusters/:/namespaces/:/crds/:/:',
  '/clusters/:/namespaces/:/secrets/:',
  '/clusters/:/namespaces/:/releases/:',
  '/clusters/:/namespaces/:/releases/:/history',
  '/clusters/:/nodes',
  '/clusters/:/nodes/:',
  '/clusters/:/ingresses/:/:',
  '/clusters/:/ingressclasses',
  '/clusters/:/ingressclasses/:',
  '/clusters/:/persistentvolumes',
  '/clusters/:/persistentvolumes/:',
  '/clusters/:/crds/:',
  '/clusters/:/crds/:/:',
  ...lists.map((list) => `/clusters/:/${list}`),
  '/clusters/:/hpas/:/:',
  '/clusters/:/helm/releases',
  '/clusters/:/chat',
  '/clusters/:/settings/cluster',
  '/clusters/:/settings/global',
  '/clusters/:/visualization/resources',
];

/** Paths that are not built yet. This list only shrinks. */
const missing: readonly string[] = [];

/**
 * Additional paths: kinds without a path in the specification,
 * `/clusters/:id/[namespaces/:ns/]objects/:group/:plural/:name`.
 */
const extra = /^\/clusters\/:(?:\/namespaces\/:)?\/objects\/[^/]+\/[^/]+(?:\/:)?$/;

/** The only page for developers, which is in no build. */
const ofDevelopment = '/tests/tokens';
/** Where the window of a provider ends in which somebody confirmed their identity. */
const ofIdentity = '/confirmed';

describe('the paths of the specification', () => {
  const registered = routedRegistry(commands).routes.map(({ path }) => path.replace(/:\w+/g, ':'));

  test('number fifty-nine, without duplicates', () => {
    expect(specified).toHaveLength(59);
    expect(new Set(specified).size).toBe(specified.length);
  });

  test('all exist, except those listed as missing', () => {
    expect(
      specified.filter((path) => !registered.includes(path)).sort(),
      'Remove from `missing` the paths that have a route now',
    ).toEqual([...missing].sort());
  });

  test('are the only ones, besides pages of objects that have no path there', () => {
    const others = registered.filter((path) => !specified.includes(path));
    expect(
      others.filter((path) => !extra.test(path)),
      'Section 2 of docs/specification.md lacks a path: add it there and to `specified`, or use an existing page',
    ).toEqual([ofDevelopment, ofIdentity]);
    expect(others.length).toBeGreaterThan(2);
  });
});
