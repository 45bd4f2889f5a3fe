import { randomUUID } from 'node:crypto';
import { blankObject } from '../admission/strategy.ts';
import { asVersion } from '../registry/conversion.ts';
import type { World } from '../store/world.ts';
import { apiVersionOf, type Resource } from '../registry/registry.ts';
import { seededChance } from '../kit/random.ts';
import { StatusError } from '../kit/status.ts';
import type { Change } from '../store/store.ts';
import type { Obj, Rec } from '../kit/values.ts';
import { readVersion } from './list.ts';
import { checkListOptions, checkTableOptions, flag } from './options.ts';
import type { Call } from './request.ts';
import { type Form, type Reply, warningHeaders } from './respond.ts';
import { readSelection, type Selection } from './selection.ts';
import { partialObject, tableEvent, tableOptions } from '../tables/table.ts';

/** Maximum number of bytes that wait for a slow client before it is disconnected, as by the API server. */
const maxBufferedBytes = 32 * 1024 * 1024;
const bookmarkEvery = 60_000;

/** Random durations of watches: a separate source, so that watches do not affect generated names. */
const spread = seededChance(1800);

/** JSON of the last object sent: one change usually goes to several watchers. */
let memo: { object: object; json: string } | undefined;
function json(object: object): string {
  if (memo?.object !== object) memo = { object, json: JSON.stringify(object) };
  return memo.json;
}

interface Event {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: Obj;
}

/** The event that a change is to a watcher: an object that leaves the selection is deleted. */
export function eventFor(change: Change, selection: Selection): Event | undefined {
  const was = change.before !== undefined && selection.matches(change.before);
  const is = change.after !== undefined && selection.matches(change.after);
  if (is && change.after !== undefined) return { type: was ? 'MODIFIED' : 'ADDED', object: change.after };
  if (!was || change.before === undefined) return undefined;
  const metadata = { ...change.before.metadata, resourceVersion: String(change.version) };
  return { type: 'DELETED', object: { ...change.before, metadata } };
}

/** Serves a watch until the client leaves, its timeout passes or the server stops. */
export function serveWatch(
  world: World,
  resource: Resource,
  namespace: string,
  name: string,
  call: Call,
  form: Form,
  reply: Reply,
  open: Set<() => void>,
): void {
  const { store, clock } = world;
  const { query } = call;
  checkListOptions(query, true);
  if (form.as === 'Table') checkTableOptions(query);
  const selection = readSelection(resource, namespace, name, query);
  const text = query.get('resourceVersion');
  const version = readVersion(text);
  const initial = flag(query, 'sendInitialEvents');
  const bookmarks = flag(query, 'allowWatchBookmarks');
  reply.writeHead(200, {
    'audit-id': randomUUID(),
    'cache-control': 'no-cache, private',
    'content-type': 'application/json',
    ...call.flow,
    ...warningHeaders(call.warnings ?? []),
  });
  reply.flushHeaders?.();

  let ended = false;
  const stops: (() => void)[] = [];
  const end = () => {
    if (ended) return;
    ended = true;
    for (const stop of stops) stop();
    open.delete(end);
    reply.end();
  };
  const line = (type: string, object: string) => {
    if (ended) return;
    reply.write(`{"type":"${type}","object":${object}}\n`);
    if ((reply.writableLength ?? 0) > maxBufferedBytes) end();
  };
  let columns = form.as === 'Table';
  const send = ({ type, object }: Event) => {
    if (form.as === 'object') line(type, json(object));
    else if (form.as === 'Table') {
      const options = tableOptions(query, form.version, clock.now());
      line(type, JSON.stringify(tableEvent(resource, object, columns, options)));
      columns = false;
    } else line(type, JSON.stringify(partialObject(object, form.version)));
  };
  const sendChange = (change: Change) => {
    const event = eventFor(change, selection);
    if (event !== undefined) send({ ...event, object: asVersion(resource, event.object) });
  };
  const bookmark = (extra?: Rec) =>
    send({
      type: 'BOOKMARK',
      object: {
        kind: resource.kind,
        apiVersion: apiVersionOf(resource),
        ...blankObject(world.registry.schemas, resource),
        metadata: { resourceVersion: String(store.version), ...extra },
      },
    });
  open.add(end);
  reply.on('close', end);
  reply.on('error', end);

  try {
    if ((version === 0 && query.get('sendInitialEvents') === null) || initial) {
      const prefix = namespace === '' ? '' : `${namespace}/`;
      for (const object of store.list(resource.storage, prefix)) {
        if (selection.matches(object)) send({ type: 'ADDED', object: asVersion(resource, object) });
      }
      if (initial && bookmarks) bookmark({ annotations: { 'k8s.io/initial-events-end': 'true' } });
    } else if (version > 0) {
      for (const change of store.since(resource.storage, version)) sendChange(change);
    }
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    line('ERROR', JSON.stringify(error.body));
    end();
    return;
  }
  stops.push(store.watch(resource.storage, sendChange));
  const seconds = Number(query.get('timeoutSeconds') ?? 0);
  const duration = seconds > 0 ? seconds * 1000 : (1800 + spread.next() * 1800) * 1000;
  stops.push(clock.after(duration, end));
  if (bookmarks) {
    let cancel = () => {};
    const nextBookmark = () => {
      bookmark();
      cancel = clock.after(bookmarkEvery, nextBookmark);
    };
    cancel = clock.after(bookmarkEvery, nextBookmark);
    stops.push(() => cancel());
  }
}
