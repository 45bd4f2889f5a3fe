import { type LayoutAnswer, layoutGraph, type LayoutRequest } from './layout.ts';

/** Lays graphs out beside the page: dagre takes a third of a second for three hundred nodes. */
self.addEventListener('message', ({ data }: MessageEvent<LayoutRequest>) => {
  const answer: LayoutAnswer = { id: data.id, places: layoutGraph(data) };
  self.postMessage(answer, { transfer: [] });
});
