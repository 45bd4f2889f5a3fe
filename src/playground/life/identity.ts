import type { Obj } from '../kit/values.ts';
import { steady } from '../kit/behaviour.ts';

/** The runtime's ids of an image and of a container run. */
export function identity(
  pod: Obj,
  name: string,
  image: string,
  run: number,
): { imageID: string; containerID: string } {
  const digest = (text: string) =>
    Array.from({ length: 8 }, (_, index) =>
      Math.floor(steady(text, index) * 4294967296)
        .toString(16)
        .padStart(8, '0'),
    ).join('');
  const repository = image.split('@')[0]?.replace(/:[^/:]*$/, '') ?? image;
  return {
    imageID: `${repository}@sha256:${digest(image)}`,
    containerID: `containerd://${digest(`${pod.metadata.uid ?? ''}/${name}/${run}`)}`,
  };
}
