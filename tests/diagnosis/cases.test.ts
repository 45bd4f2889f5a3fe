import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { servedKind } from '../../commands/kinds/custom.ts';
import { kindOfObject, kinds } from '../../commands/kinds/index.ts';
import type { KubeEvent } from '../../src/kube/infrastructure.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { matchesSelector } from '../../src/kube/selector.ts';
import { groupOf, refKey } from '../../src/registry/kinds/refs.ts';
import { diagnose, ruleKind, sentenceLimit } from '../../src/server/diagnosis/diagnose.ts';
import { factsOf } from '../../src/server/diagnosis/object-facts.ts';
import { ruleBook } from '../../src/server/diagnosis/rule-book.ts';
import { manifestOf } from '../../src/server/objects/wanted.ts';
import { nameOf, type World } from '../../src/server/diagnosis/world.ts';
import { redactText } from '../../src/server/kit/redact-text.ts';
import { ruleCases } from './cases.ts';
import { faultsOf } from './conformance.ts';

const now = Date.parse('2026-03-01T08:00:00Z') / 1000;

const objectsIn = (manifests: string): readonly KubeObject[] =>
  parseAllDocuments(manifests).map((document) => document.toJS() as KubeObject);

/** A kind without a file, with the general rules about its status. */
function servedBy(apiVersion: string, kind: string) {
  const group = groupOf(apiVersion);
  const isCustom = group.includes('.') && !group.endsWith('.k8s.io');
  const resource = {
    group,
    version: apiVersion.slice(group.length + 1),
    plural: `${kind.toLowerCase()}s`,
    kind,
  };
  return isCustom ? servedKind({ ...resource, scope: 'Namespaced' }, [], true) : undefined;
}

/** A world of these objects alone. */
function worldOfObjects(objects: readonly KubeObject[]): World {
  const byKey = new Map(objects.map((object) => [refKey(nameOf(object)), object]));
  return {
    now,
    one: (named) => byKey.get(refKey(named)) ?? null,
    facts(named) {
      const found = this.one(named);
      return found && factsOf(found);
    },
    all: ({ kind, namespace, selector, about }) =>
      objects
        .filter((one) => one.kind === kind)
        .filter(({ metadata }) => namespace === undefined || metadata?.namespace === namespace)
        .filter(({ metadata }) => selector === undefined || matchesSelector(selector, metadata?.labels))
        .filter((one) => about === undefined || (one as KubeEvent).involvedObject?.uid === about),
    log: ({ pod, container }) => {
      const kept = objects.find((one) => one.kind === 'LastLines' && one.metadata?.name === pod.name);
      if (kept === undefined || container !== 'main') return undefined;
      return (kept as { lines: readonly string[] }).lines.map((text) => {
        const [, before = '0', rest = text] = /^(\d+)s before: (.*)$/.exec(text) ?? [];
        return { at: now - 120 - Number(before), text: redactText(rest) };
      });
    },
    kindOf: ({ apiVersion, kind }) => kindOfObject(apiVersion, kind) ?? servedBy(apiVersion, kind),
  };
}

/** What is said of the first object of a text. */
function saidOf(manifests: string) {
  const objects = objectsIn(manifests);
  const [root] = objects;
  if (root === undefined) throw new Error('There is no object.');
  const world = worldOfObjects(objects);
  return { world, causes: diagnose(root, world, ruleBook) };
}

const named = ruleCases.map((one) => {
  const [root = {}] = objectsIn(one.broken);
  return { ...one, kind: ruleKind(root) };
});

describe('each rule speaks of what is broken', () => {
  test.each(named)('$rule of $kind says $names', (one) => {
    const { rule, broken, names, creates = [], opens = [], edits = [], besides = [] } = one;
    const { causes, world } = saidOf(broken);
    const said = causes.map((cause) => `${cause.rule}: ${cause.sentence}`);
    const [told] = causes.filter((cause) => cause.rule === rule);
    expect(told === undefined ? said.join('\n') : `${told.sentence} ${told.detail ?? ''}`.trim()).toMatch(
      names,
    );
    expect(causes.filter(({ sentence }) => sentence.length > sentenceLimit)).toEqual([]);
    expect(said.filter((text) => ![rule, ...besides].some((id) => text.startsWith(`${id}: `)))).toEqual([]);
    expect(causes.flatMap((cause) => faultsOf(cause, world))).toEqual([]);
    // A missing object is offered with its exact manifest, in these cases alone.
    expect(told?.wanted.map((wanted) => parse(manifestOf(wanted) ?? '') as unknown)).toEqual(creates);
    expect(told?.opens.map(({ kind, name }) => `${kind} ${name}`)).toEqual(opens);
    expect(told?.edits.map(({ kind, name }) => `${kind} ${name}`)).toEqual(edits);
  });
});

describe('each rule is silent about what only looks alike', () => {
  const near = named.flatMap(({ rule, kind, near: alike }) =>
    Object.entries(alike).map(([what, manifests]) => ({ rule, kind, what, manifests })),
  );
  test.each(near)('$rule of $kind: $what', ({ rule, manifests }) => {
    const { causes, world } = saidOf(manifests);
    expect(causes.filter((one) => one.rule === rule).map(({ sentence }) => sentence)).toEqual([]);
    // What other rules say of it has to be well-founded too.
    expect(causes.filter((one) => isOfBook(one.rule)).flatMap((one) => faultsOf(one, world))).toEqual([]);
  });
});

const isOfBook = (id: string): boolean => ruleBook.rules.some((one) => one.id === id);

test('every rule of the book has cases, and every case is of a rule, of the book or of a kind', () => {
  // Rules of every kind, and those that apply only on the way from another object, have cases of other objects.
  const anywhere = new Set(
    ruleBook.rules.flatMap(({ id, kind, sort }) => (kind === '*' || sort === 'called' ? [id] : [])),
  );
  const nameIn = (id: string, kind: string) => (anywhere.has(id) ? id : `${id} ${kind}`);
  const declared = ruleBook.rules.map(({ id, kind }) => nameIn(id, kind));
  const covered = new Set(named.map(({ rule, kind }) => nameIn(rule, kind)));
  expect(declared.filter((one) => !covered.has(one))).toEqual([]);
  const ofKinds = kinds.flatMap(({ group, version, kind, rules = [] }) =>
    rules.map((id) => `${id} ${ruleKind({ apiVersion: `${group}/${version}`, kind })}`),
  );
  expect([...covered].filter((one) => ![...declared, ...ofKinds].includes(one))).toEqual([]);
  expect(new Set(declared).size).toBe(declared.length);
  for (const { near } of named) expect(Object.keys(near)).not.toEqual([]);
});
