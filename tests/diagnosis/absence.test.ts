import { describe, expect, it } from 'vitest';
import type { NamedObject } from '../../src/registry/kinds/refs.ts';
import { tellsOf } from '../../src/server/diagnosis/absence.ts';

const named = (apiVersion: string, kind: string, name: string): NamedObject => ({
  apiVersion,
  kind,
  namespace: 'shop',
  name,
});
const pod = named('v1', 'Pod', 'web-1');
const other = named('v1', 'Pod', 'other');
const deployment = named('apps/v1', 'Deployment', 'web');

describe('of an object that is gone tells', () => {
  it.each([
    ['an event about it', pod, 'Killing', pod],
    ['one about another version of it', named('apps/v1beta1', 'Deployment', 'web'), 'Scaled', deployment],
    ['one that names it after its kind', named('apps/v1', 'ReplicaSet', 'web'), 'Deleted pod: web-1', pod],
    ['one that names it without a colon', named('apps/v1', 'StatefulSet', 'web'), 'delete Pod web-1 in', pod],
    ['the end of a sentence', named('batch/v1', 'Job', 'web'), 'It deleted pod web-1.', pod],
    ['a name before a colon', other, 'Pod web-1: evicted', pod],
    [
      'a kind of two words',
      deployment,
      'Scaled up replica set web-7d to 3',
      named('apps/v1', 'ReplicaSet', 'web-7d'),
    ],
    ['a name in quotes', other, 'configmap "web" not found', named('v1', 'ConfigMap', 'web')],
    ['a name with its namespace', other, 'Pod shop/web-1 was evicted', pod],
    ['a name with colons', other, 'Role a:b went', named('rbac.authorization.k8s.io/v1', 'Role', 'a:b')],
  ])('%s', (_case, of, message, gone) => {
    expect(tellsOf({ message }, of, gone)).toBe(true);
  });
});

describe('of an object that is gone does not tell', () => {
  it.each([
    ['a container of its name', other, 'Started container web', deployment],
    ['a name without a kind', other, 'It was used by web-1', pod],
    ['another kind of its name', other, 'Deleted pod: web', deployment],
    ['a longer name', other, 'Deleted pod: web-10', pod],
    [
      'a name that goes on after a colon',
      other,
      'Role a:b',
      named('rbac.authorization.k8s.io/v1', 'Role', 'a'),
    ],
    ['a name that goes on after a dot', other, 'Deleted pod: web-1.example', pod],
    ['a kind within a longer word', other, 'Created cronjob: web', named('batch/v1', 'Job', 'web')],
    ['its namesake of another API group', named('example.com/v1', 'Deployment', 'web'), 'Synced', deployment],
    ['a kind that reads like a pattern', other, 'Pod web-1 went', named('v1', 'P(o|d', 'web-1')],
    ['no message', other, undefined, pod],
  ])('%s', (_case, of, message, gone) => {
    expect(tellsOf(message === undefined ? {} : { message }, of, gone)).toBe(false);
  });
});
