import { type ListState, snapshotChunk } from '../../../contract/live.ts';
import { noneExcluded } from '../../access/sight.ts';
import type { Access } from '../wire/access.ts';
import { type Channel, longBody, type Post } from '../wire/channel.ts';
import { changeBodies } from '../feed/rows.ts';
import type { ComposedGraph, GraphScope } from './compose.ts';
import type { Graphs } from './graphs.ts';

/**
 * A graph on one page: its rows once, then what of them changed.
 * @param withExcluded with the namespaces that the person leaves out of their views
 */
export function createGraphChannel(
  post: Post,
  graphs: Graphs,
  { scope, withExcluded }: { readonly scope: GraphScope; readonly withExcluded: boolean },
  access: Access,
): Channel {
  const sightOf = ({ cluster, held, excluded }: Access): Access => ({
    cluster,
    held,
    excluded: withExcluded ? noneExcluded : excluded,
  });
  let isHeld = false;
  let isSuspended = false;
  let sentState: string | undefined;
  /** The rows that the page has; undefined while it has to be told all of them. */
  let sent: ComposedGraph | undefined;

  function sendAll({ rows, total }: ComposedGraph): void {
    const texts = [...rows.values()];
    for (let at = 0; at === 0 || at < texts.length; at += snapshotChunk) {
      const done = at + snapshotChunk >= texts.length;
      const chunk = texts.slice(at, at + snapshotChunk).join(',');
      post('snapshot', longBody(`"reset":${at === 0},"done":${done},"rows":[${chunk}],"total":${total}`));
    }
  }

  function sendChanges(before: ComposedGraph, { rows, total }: ComposedGraph): void {
    const upserts: string[] = [];
    for (const [key, text] of rows) if (before.rows.get(key) !== text) upserts.push(text);
    const removes = [...before.rows.keys()].filter((key) => !rows.has(key));
    if (upserts.length === 0 && removes.length === 0 && before.total === total) return;
    for (const body of changeBodies(upserts, removes, total)) post('changes', body);
  }

  function send(): void {
    if (isHeld || isSuspended) return;
    const { graph, state } = membership;
    if (graph !== undefined && graph !== sent) {
      if (sent === undefined) sendAll(graph);
      else sendChanges(sent, graph);
      sent = graph;
    }
    tell(state);
  }

  function tell(state: ListState): void {
    const text = JSON.stringify(state);
    if (text === sentState) return;
    sentState = text;
    post('state', `"state":${text}`);
  }

  let membership = graphs.join(scope, sightOf(access), { changed: send });
  send();

  return {
    get isLive() {
      return membership.state.status === 'live';
    },
    hold() {
      isHeld = true;
    },
    release(now) {
      isHeld = false;
      const old = membership;
      membership = graphs.join(scope, sightOf(now), { changed: send });
      // Of another graph nothing may be left on the page.
      if (membership.graph !== old.graph) {
        if (sent !== undefined && membership.graph === undefined)
          sendAll({ rows: new Map(), total: 0, unfollowed: new Set() });
        sent = undefined;
      }
      old.leave();
      send();
    },
    suspend() {
      isSuspended = true;
      sent = undefined;
    },
    resync() {
      isSuspended = false;
      send();
    },
    retry: () => membership.retry(),
    leave() {
      isSuspended = true;
      membership.leave();
    },
  };
}
