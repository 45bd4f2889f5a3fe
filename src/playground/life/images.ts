import type { Life } from './engine.ts';

/** Maximum number of images remembered; nodes delete unused ones. */
const maxImages = 600;

/** Images that the nodes have pulled, "node|image", most recently used last. */
const memoryOf = (life: Life) => life.memory.of('images', () => new Set<string>());

/** Whether a node has an image. */
export const hasImage = (life: Life, node: string, image: string): boolean =>
  memoryOf(life).has(`${node}|${image}`);

/** Records that a node has an image. */
export function noteImage(life: Life, node: string, image: string): void {
  const memory = memoryOf(life);
  const id = `${node}|${image}`;
  memory.delete(id);
  memory.add(id);
  if (memory.size <= maxImages) return;
  for (const oldest of memory) {
    memory.delete(oldest);
    break;
  }
}
