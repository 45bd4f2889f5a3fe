import { parentPort } from 'node:worker_threads';
import { parseManifest } from '../../kube/manifest.ts';

// Parses what it is sent, one text after another.
parentPort?.on('message', ({ id, text }: { id: number; text: string }) => {
  parentPort?.postMessage({ id, manifest: parseManifest(text) }, []);
});
