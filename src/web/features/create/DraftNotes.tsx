import { Button } from '../../kit/Button.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { Note } from '../../kit/Note.tsx';
import type { CreateText } from './use-create-text.ts';

interface DraftNotesProps {
  readonly text: Pick<CreateText, 'notKept' | 'offeredDraft'>;
  readonly onRestore: (draft: string) => void;
}

/** Says that no draft is kept of the text, and offers the draft that was kept before. */
export function DraftNotes({ text: { notKept, offeredDraft }, onRestore }: DraftNotesProps) {
  return (
    <>
      {notKept !== undefined && (
        <Note tone="info" role="status">
          <Glyph tone="info" size={13} />
          <span className="min-w-0 flex-1">{notKept}</span>
        </Note>
      )}
      {offeredDraft !== undefined && (
        <Note tone="info" role="status">
          <Glyph tone="info" size={13} />
          <span className="min-w-0 flex-1">You have an unfinished draft.</span>
          <Button size="sm" variant="secondary" onClick={() => onRestore(offeredDraft)}>
            Restore the draft
          </Button>
        </Note>
      )}
    </>
  );
}
