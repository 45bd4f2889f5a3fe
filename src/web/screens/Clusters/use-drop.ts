import { type DragEvent, useState } from 'react';
import { kubeconfigLimit } from '../../../contract/clusters.ts';

/** Reads a kubeconfig file; throws a sentence for one that is too large. */
export async function readKubeconfigFile(file: File): Promise<string> {
  if (file.size > kubeconfigLimit) {
    throw new Error(`${file.name} is larger than ${kubeconfigLimit / 1024} KB: that is not a kubeconfig.`);
  }
  return await file.text();
}

/** Lets a file be dropped on an element. */
export function useDrop(isEnabled: boolean, onText: (text: string) => void) {
  const [isOver, setOver] = useState(false);
  const [error, setError] = useState<string | undefined>(undefined);
  const handlers = {
    onDragOver: (event: DragEvent) => {
      if (!isEnabled || !event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      if (!isEnabled) return;
      event.preventDefault();
      setOver(false);
      const file = event.dataTransfer.files[0];
      if (file === undefined) return;
      readKubeconfigFile(file).then(
        (text) => {
          setError(undefined);
          onText(text);
        },
        (failure: unknown) =>
          setError(failure instanceof Error ? failure.message : 'The file could not be read.'),
      );
    },
  };
  return { isOver: isEnabled && isOver, error, handlers };
}
