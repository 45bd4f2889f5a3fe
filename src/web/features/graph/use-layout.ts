import { useEffect, useMemo, useRef, useState } from 'react';
import type { Drawing } from './draw.ts';
import type { LayoutAnswer, LayoutRequest } from './layout.ts';
import type { Point } from './walk.ts';

/** Where everything of a drawing is. */
export interface Layout {
  readonly places: ReadonlyMap<string, Point>;
  /** The worker could not be started, or died. */
  readonly hasFailed: boolean;
}

const noPoints: ReadonlyMap<string, Point> = new Map();

/**
 * The places of a drawing, laid out in a worker. What is drawn stays where it is until the new layout has come; only
 * another set of nodes or edges is laid out anew, not another status.
 */
export function useLayout({ nodes, edges }: Pick<Drawing, 'nodes' | 'edges'>): Layout {
  const [layout, setLayout] = useState<Layout>({ places: noPoints, hasFailed: false });
  const worker = useRef<Worker | undefined>(undefined);
  const lastId = useRef(0);
  const text = useMemo(
    () => JSON.stringify([nodes.map(({ id }) => id), edges.map(({ from, to }) => [from, to])]),
    [nodes, edges],
  );

  useEffect(() => {
    const made = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' });
    worker.current = made;
    made.addEventListener('message', ({ data }: MessageEvent<LayoutAnswer>) => {
      // An answer to an older question is of a drawing that is no more.
      if (data.id !== lastId.current) return;
      const places = new Map(data.places.map(([id, x, y]) => [id, { x, y }]));
      setLayout({ places, hasFailed: false });
    });
    made.addEventListener('error', () => setLayout((known) => ({ ...known, hasFailed: true })));
    return () => {
      worker.current = undefined;
      made.terminate();
    };
  }, []);

  useEffect(() => {
    const [ids, pairs] = JSON.parse(text) as [LayoutRequest['nodes'], LayoutRequest['edges']];
    lastId.current += 1;
    worker.current?.postMessage({ id: lastId.current, nodes: ids, edges: pairs } satisfies LayoutRequest);
  }, [text]);

  return layout;
}
