import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { Refusal } from '../../../registry/commands/refusal.ts';
import type { Services } from '../../../registry/commands/services.ts';

/** Opens an object beside what shows now, or as a tab where no further tile fits. */
export function openBeside(
  { objects }: Pick<Services, 'objects'>,
  ref: ObjectRef,
  view?: string,
  search?: Readonly<Record<string, string>>,
): void {
  try {
    objects.open(ref, 'split-right', view, search);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    objects.open(ref, 'new-tab', view, search);
  }
}
