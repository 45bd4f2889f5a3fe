import { useState } from 'react';
import { DiffText } from '../actions/DiffText.tsx';
import { Button } from '../../kit/Button.tsx';
import { Note } from '../../kit/Note.tsx';
import { Glyph } from '../../kit/marks.tsx';
import type { Meanwhile as Changes } from './base.ts';

interface MeanwhileProps {
  /** The edited object: `Deployment web`. */
  readonly name: string;
  readonly meanwhile: Changes;
  /** The text that the edit began from, the object as it is now, and what stands in the editor. */
  readonly base: string;
  readonly theirs: string;
  readonly mine: string;
  /** Whether the editor's text can be read. */
  readonly canMerge: boolean;
  readonly onMerge: () => void;
  readonly onLoad: () => void;
}

/** Says that the object was changed while somebody edits it, and shows the three versions. Changes nothing by itself. */
export function Meanwhile({
  name,
  meanwhile,
  base,
  theirs,
  mine,
  canMerge,
  onMerge,
  onLoad,
}: MeanwhileProps) {
  const [isOpen, setOpen] = useState(false);
  const { both } = meanwhile;
  return (
    <section className="flex flex-none flex-col gap-2">
      <Note tone="warn" role="alert">
        <Glyph tone="warn" size={13} />
        <div className="min-w-0 flex-1">
          <b className="font-semibold">{name} was changed on the cluster while you edit.</b> Your text was not
          changed.
          {both.length > 0 && (
            <>
              {' '}
              Both changed: <code>{both.slice(0, 10).join(', ')}</code>.
            </>
          )}
          <div className="mt-2 flex min-w-0 items-center gap-1.5">
            <Button size="sm" variant="secondary" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? 'Hide the three versions' : 'Show the three versions'}
            </Button>
            <Button
              size="sm"
              variant="secondary"
              reason={canMerge ? undefined : 'Your YAML is invalid: fix it first.'}
              title="Where both changed the same value, yours is kept."
              onClick={onMerge}
            >
              Merge their changes into mine
            </Button>
            <Button size="sm" variant="secondary" onClick={onLoad}>
              Discard mine, load theirs
            </Button>
          </div>
        </div>
      </Note>
      {isOpen && (
        <div className="grid grid-cols-[repeat(auto-fit,minmax(18rem,1fr))] gap-2">
          <DiffText
            title="Changed on the cluster since you began"
            before={base}
            after={theirs}
            same="Nothing visible: a masked value may have changed."
          />
          <DiffText title="Changed by you" before={base} after={mine} same="Nothing yet." />
        </div>
      )}
    </section>
  );
}
