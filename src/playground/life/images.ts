import type { Life } from './engine.ts';

/** Maximum number of images remembered; a node removes those unused for long. */
const maxImages = 600;

/** Images that the nodes have pulled: "node|image", those used last at the end. */
const memories = new WeakMap<Life, Set<string>>();
function memoryOf(life: Life): Set<string> {
  const known = memories.get(life) ?? new Set<string>();
  memories.set(life, known);
  return known;
}

/** Whether a node has an image. */
export const hasImage = (life: Life, node: string, image: string): boolean =>
  memoryOf(life).has(`${node}|${image}`);

/** Notes that a node has an image. */
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
