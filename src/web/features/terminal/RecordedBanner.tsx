import { CircleDot } from 'lucide-react';
import { recordedNotice } from '../../../contract/shell.ts';

/** Says that a shell is recorded, as long as it is. It is always on the page, so that screen readers hear it change. */
export function RecordedBanner({ isRecorded }: { readonly isRecorded: boolean }) {
  return (
    <div role="status" data-part="recorded">
      {isRecorded && (
        <p className="flex items-start gap-2 border-b border-warn-border bg-warn-bg px-3 py-1 text-warn-fg">
          <CircleDot className="mt-0.5 shrink-0" size={14} strokeWidth={1.75} aria-hidden="true" />
          {recordedNotice}
        </p>
      )}
    </div>
  );
}
