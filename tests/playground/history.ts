import { expect } from 'vitest';
import type { Playground } from '../../src/playground/server.ts';
import { isRec, type Obj, type Rec, recs, str } from '../../src/playground/kit/values.ts';
import { json, stream } from './client.ts';

/** Every path of a FieldsV1 set. */
function pathsOf(fields: unknown, before = ''): string[] {
  if (!isRec(fields)) return [];
  return Object.entries(fields).flatMap(([key, inner]) => {
    if (key === '.') return [before];
    const path = `${before}/${key}`;
    return isRec(inner) && Object.keys(inner).length > 0 ? pathsOf(inner, path) : [path];
  });
}

/** Whether a path of a field set leads to something in an object. */
function leads(value: unknown, path: string): boolean {
  const steps = path.split(/\/(?=[fkv]:)/).filter((part) => part !== '');
  let current = value;
  for (const part of steps) {
    const [kind, text] = [part.slice(0, 2), part.slice(2)];
    if (kind === 'f:') {
      if (!isRec(current) || !(text in current)) return false;
      current = current[text];
    } else if (kind === 'v:') {
      const wanted: unknown = JSON.parse(text);
      if (!Array.isArray(current) || !current.includes(wanted)) return false;
      current = wanted;
    } else {
      const wanted = JSON.parse(text) as Rec;
      current = recs(current).find((item) =>
        Object.entries(wanted).every(([key, expected]) => item[key] === expected),
      );
      if (current === undefined) return false;
    }
  }
  return true;
}

/** One entry of an object's managed fields. */
export interface Owner {
  readonly manager: string;
  readonly operation: string;
  readonly paths: string[];
}
const owners = (object: Obj): Owner[] =>
  recs(object.metadata.managedFields).map((entry) => ({
    manager: str(entry['manager']),
    operation: str(entry['operation']),
    paths: pathsOf(entry['fieldsV1']),
  }));

/** What must hold of an object's managed fields after any write; returns them. */
export function checkOwners(object: Obj): Owner[] {
  const entries = owners(object);
  for (const { manager, operation, paths } of entries) {
    expect(paths.length, `${manager} ${operation} owns nothing`).toBeGreaterThan(0);
    // A field that was removed belongs to nobody.
    expect(paths.filter((path) => !leads(object, path))).toEqual([]);
  }
  const keys = recs(object.metadata.managedFields).map(
    (entry) => `${str(entry['manager'])}|${str(entry['operation'])}|${str(entry['subresource'])}`,
  );
  expect(new Set(keys).size).toBe(keys.length);
  return entries;
}

/** The version of a collection as it is now. */
export async function versionOf(playground: Playground, path: string): Promise<number> {
  const list = await json<{ metadata: { resourceVersion: string } }>(playground, 'GET', path);
  return Number(list.metadata.resourceVersion);
}

/** A collection of one namespace, and where the playground keeps its objects. */
export interface Collection {
  readonly path: string;
  readonly storage: string;
  readonly apiVersion: string;
  readonly kind: string;
}

/** Checks that list, get and the replay of a watch from a version on tell the same of a collection. */
export async function agree(playground: Playground, of: Collection, start: number): Promise<void> {
  const { path, storage, apiVersion, kind } = of;
  const list = await json<{ items: Obj[] }>(playground, 'GET', path);
  const watch = await stream(playground, {
    method: 'GET',
    path: `${path}?watch=1&resourceVersion=${start}&allowWatchBookmarks=true&timeoutSeconds=1`,
  });
  await watch.until(playground.world.store.since(storage, start).length);
  watch.close();
  const replayed = new Map<string, Obj>();
  let last = start;
  for (const line of watch.lines) {
    const event = JSON.parse(line) as { type: string; object: Obj };
    const version = Number(event.object.metadata.resourceVersion);
    expect(version).toBeGreaterThan(last);
    last = version;
    const called = event.object.metadata.name ?? '';
    expect(event.type === 'ADDED').toBe(!replayed.has(called));
    if (event.type === 'DELETED') replayed.delete(called);
    else replayed.set(called, event.object);
  }
  const names = Array.from(replayed.keys()).sort();
  const listed = list.items.map((item) => ({ ...item, apiVersion, kind }));
  expect(listed).toEqual(names.map((one) => replayed.get(one)));
  for (const one of names) {
    expect(await json(playground, 'GET', `${path}/${one}`)).toEqual(replayed.get(one));
  }
}
