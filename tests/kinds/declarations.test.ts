import { describe, expect, it, test } from 'vitest';
import { actionById, kindById, kindOfObject, kindOfResource, kinds } from '../../commands/kinds/index.ts';
import { isPermission } from '../../src/contract/permissions.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { type ArgDefinition, isDangerous, type KindAction } from '../../src/registry/kinds/kind-action.ts';
import { type Kind, sectionNames } from '../../src/registry/kinds/kind.ts';
import { paramNames } from '../../src/registry/path.ts';
import { formatResourceKey } from '../../src/registry/kinds/resource-key.ts';
import { isSecret } from '../../src/server/objects/present.ts';
import { aroundOf, sampleOf } from './samples.ts';

const each = kinds.map((kind) => [kind.id, kind] as const);
const sentence = /^[A-Z0-9].*[.]$/;

/** The cells of a section of the kind's own; of one that stands on another object's page the object's name. */
function cellsOf(section: Exclude<Kind['sections'][number], string>, object: KubeObject): unknown[] {
  if ('of' in section) return [section.of(object)?.name ?? null];
  if ('rows' in section) return [...section.rows(object).flat(), section.empty?.(object) ?? null];
  return section.fields.map((field) => field.value(object));
}

/** Calls every pure function of a kind on an object, to check that none throws. */
function readEverything(kind: Kind, object: KubeObject): unknown[] {
  const target = { facts: kind.facts?.(object) ?? {}, joined: {} };
  return [
    kind.status?.(object),
    kind.attention?.(object),
    kind.refs?.(object),
    kind.pods?.(object),
    target,
    ...kind.columns.map((column) => column.value(object)),
    ...kind.sections.flatMap((section) => (typeof section === 'string' ? [] : cellsOf(section, object))),
    ...kind.actions.flatMap((action) => [action.applies?.(target), action.enabled?.(target)]),
  ];
}

function isCell(value: unknown): boolean {
  const isPlain = (one: unknown) => one === null || ['string', 'number'].includes(typeof one);
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'boolean' || isPlain(value) || (Array.isArray(value) && value.every(isPlain));
}

describe.each(each)('the kind %s', (_id, kind) => {
  it('needs existing permissions', () => {
    expect(isPermission(kind.permissions.view)).toBe(true);
    for (const name of [kind.permissions.manage].flat())
      expect(name === 'owner' || isPermission(name)).toBe(true);
    for (const action of kind.actions)
      for (const name of action.needs ?? []) expect(isPermission(name)).toBe(true);
  });

  it('has a healthy sample of its own kind, with a status', () => {
    const { healthy } = sampleOf(kind);
    const version = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
    expect([healthy.apiVersion, healthy.kind]).toEqual([version, kind.kind]);
    expect(kind.attention?.(healthy)).toBeUndefined();
    expect(kind.status?.(healthy).tone ?? 'ok').not.toBe('bad');
    expect(kind.status?.(healthy).label ?? 'fine').not.toBe('');
  });

  it('gives plain cells for its sample and for a bare object, and throws for neither', () => {
    const { healthy, troubled } = sampleOf(kind);
    const bare = [{}, { metadata: {} }, { metadata: { name: 'x' }, spec: {}, status: {} }] as KubeObject[];
    for (const object of [healthy, ...troubled.values(), ...bare]) {
      readEverything(kind, object);
      for (const column of kind.columns) {
        expect(isCell(column.value(object)), `${column.id} of ${JSON.stringify(object.metadata)}`).toBe(true);
      }
      for (const value of Object.values(kind.facts?.(object) ?? {})) expect(isCell(value)).toBe(true);
    }
  });

  it('has consistent columns and sections', () => {
    const ids = kind.columns.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const column of kind.columns) {
      if (column.join !== undefined) expect(kind.joins ?? []).toContain(column.join);
    }
    if (kind.window !== undefined) expect(ids).toContain(kind.window.sort.replace(/^-/, ''));
    for (const section of kind.sections) {
      if (typeof section === 'string') expect(sectionNames).toContain(section);
    }
    expect(kind.sections).toContain('yaml');
    if (kind.sections.includes('pods')) expect(kind.pods).toBeDefined();
    if (kind.sections.includes('owned')) expect(kind.owns?.length ?? 0).toBeGreaterThan(0);
    if (kind.sections.includes('related')) expect(kind.refs).toBeDefined();
    expect(kind.sections.includes('rollout')).toBe(kind.rollout !== undefined);
    expect(kind.joins?.includes('metrics') === true).toBe(kind.usage !== undefined);
    // The server masks by resource, so that safety does not depend on the declaration.
    expect(kind.masked === true).toBe(isSecret(kind));
  });

  it('has paths below its cluster whose last parameter is the name', () => {
    const { list, detail = [] } = kind.paths;
    for (const path of [list, ...detail]) expect(path.startsWith('/clusters/:clusterId/')).toBe(true);
    for (const path of detail) {
      const params = paramNames(path);
      expect(params.length).toBe(kind.scope === 'Namespaced' ? 3 : 2);
      expect(path.endsWith(`:${params.at(-1)}`)).toBe(true);
    }
  });

  it('has rules that each apply to an object of their own', () => {
    const { troubled } = sampleOf(kind);
    expect([...troubled.keys()].sort()).toEqual([...(kind.rules ?? [])].sort());
    for (const [rule, object] of troubled) {
      const around = aroundOf(object);
      const attention = kind.attention?.(object, around);
      expect(attention, rule).toMatchObject({ rule, title: expect.stringMatching(sentence) });
      expect(rule.startsWith(`${kind.id}.`)).toBe(true);
      // Every problem also shows in the list, which sees one object at a time.
      if (around === undefined) expect(['warn', 'bad', 'info'], rule).toContain(kind.status?.(object).tone);
      if (attention?.action !== undefined)
        expect(actionById(attention.action), attention.action).toBeDefined();
    }
  });

  it.each(kind.actions.map((action) => [action.id, action] as const))(
    '%s is declared in full',
    (_name, action) => {
      expect(action.id).toMatch(
        action.id.startsWith('object.') ? /^object\.[a-z-]+$/ : new RegExp(`^${kind.id}\\.[a-z][a-zA-Z]*$`),
      );
      expect(action.description).toMatch(sentence);
      expect(action.title).not.toMatch(/\.$/);
      expect(action.done).toMatch(/^[a-z ]+$/);
      const address = {
        group: kind.group,
        version: kind.version,
        plural: kind.plural,
        ...(kind.scope === 'Namespaced' ? { namespace: 'shop' } : {}),
        name: 'sample',
      };
      const typed = action.kubectl(address, exampleArgs(action) as never);
      // The actions that kubectl has no command for.
      if (action.id === 'job.rerun') expect(typed).toBeUndefined();
      else expect(typed).toMatch(kind.source === 'helm' ? /^helm .*sample/ : /^kubectl .*sample/);
      if (action.countsRevisions === true) expect(kind.revisions, action.id).toBeDefined();
    },
  );

  it('marks actions as dangerous that delete objects, evict pods or leave none', () => {
    for (const action of kind.actions) {
      // The minimum of each number: zero replicas where that is allowed.
      const args = exampleArgs(action, kind);
      const address = { group: kind.group, version: kind.version, plural: kind.plural, name: 'sample' };
      const destroys =
        'job' in action
          ? true
          : 'procedure' in action
            ? action.procedure === 'evict'
            : action
                .requests(sampleOf(kind).healthy, args as never, { now: '2026-01-01T00:00:00Z', address })
                .some(
                  ({ method, body }) =>
                    method === 'DELETE' || isEmptying(body) || (kind.id === 'job' && isSuspending(body)),
                );
      expect(isDangerous(action, args), action.id).toBe(destroys);
    }
  });
});

interface Emptying {
  readonly spec?: { readonly replicas?: number; readonly suspend?: boolean };
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
}

/** No pod remains: by the count itself, or by the count at which an autoscaler is paused. */
const isEmptying = (body: unknown) => {
  const { spec, metadata } = (body ?? {}) as Emptying;
  return spec?.replicas === 0 || metadata?.annotations?.['autoscaling.keda.sh/paused-replicas'] === '0';
};
/** Suspending a job ends its pods; suspending a cron job only prevents new ones. */
const isSuspending = (body: unknown) => ((body ?? {}) as Emptying).spec?.suspend === true;

function exampleArgs(action: KindAction, kind?: Kind): Record<string, unknown> {
  const facts = kind === undefined ? {} : (kind.facts?.(sampleOf(kind).healthy) ?? {});
  const example = (definition: ArgDefinition) => {
    switch (definition.type) {
      case 'number':
        return definition.min;
      case 'revision':
        return 1;
      case 'choice':
        return definition.default;
      case 'map':
        return { 'example.org/mark': "it's", gone: null };
      case 'member':
        return [facts[definition.of] ?? 'member'].flat()[0];
      case 'text':
        return new RegExp(definition.pattern ?? '').test('text') ? 'text' : '900Gi';
      default:
        return definition satisfies never;
    }
  };
  return Object.fromEntries(Object.entries(action.args ?? {}).map(([name, one]) => [name, example(one)]));
}

describe('all kinds together', () => {
  test('have unique ids, aliases, resources and paths', () => {
    const unique = (values: readonly string[]) => expect(values.length - new Set(values).size).toBe(0);
    unique(kinds.map(({ id }) => id));
    unique(kinds.flatMap(({ id, aliases = [] }) => [id, ...aliases]));
    unique(kinds.map(formatResourceKey));
    unique(
      kinds.flatMap(({ paths }) =>
        [paths.list, ...(paths.detail ?? [])].map((path) => path.replaceAll(/:\w+/g, ':')),
      ),
    );
    unique(kinds.map(({ title }) => title));
  });

  test('are found by id, by resource and by apiVersion and kind', () => {
    for (const kind of kinds) {
      expect(kindById(kind.id)).toBe(kind);
      expect(kindOfResource(kind)).toBe(kind);
      expect(
        kindOfObject(kind.group === '' ? kind.version : `${kind.group}/${kind.version}`, kind.kind),
      ).toBe(kind);
    }
    expect(kindOfObject('example.org/v1', 'Deployment')).toBeUndefined();
    expect(kindById('constructor')).toBeUndefined();
  });

  test('share an action id only for the same action', () => {
    const byId = new Map<string, KindAction>();
    for (const action of kinds.flatMap(({ actions }) => actions)) {
      expect(byId.get(action.id) ?? action).toBe(action);
      byId.set(action.id, action);
      expect(actionById(action.id)).toBe(action);
    }
  });
});
