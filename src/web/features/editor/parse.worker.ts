import { parseManifest } from '../../../kube/manifest.ts';

// Parses what it is sent, one text after another; says first that it is there.
addEventListener('message', ({ data }: MessageEvent<string>) =>
  postMessage(parseManifest(data), { transfer: [] }),
);
postMessage('ready', { transfer: [] });
