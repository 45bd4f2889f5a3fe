import { Circle } from 'lucide-react';

/** The mark of a tab that holds input which is not saved. The name of the tab says it too. */
export function UnsavedDot() {
  return (
    <Circle
      data-part="unsaved"
      className="flex-none text-accent-text!"
      size={8}
      strokeWidth={0}
      fill="currentColor"
      aria-hidden="true"
    />
  );
}
