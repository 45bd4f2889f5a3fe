import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import type { ObjectRef } from '../../registry/command.ts';
import { sentenceOf } from '../../registry/execute.ts';
import { useApp } from '../app/context.ts';
import { unsentKey } from '../create/unsent.ts';
import { editPlace } from '../edit/place.ts';
import { baseOf } from '../edit/base.ts';
import { Button } from '../ui/Button.tsx';
import { type Part, partsOf, withOther } from './hunks.ts';

/** One side of a comparison. */
export interface Side {
  readonly title: string;
  readonly text: string;
  /** Undefined where it is nothing that can be edited. */
  readonly ref: ObjectRef | undefined;
}

interface DiffSidesProps {
  readonly left: Side;
  readonly right: Side;
  /** Whether a side's value can be copied to the other as an edit. */
  readonly canCopy: boolean;
}

/** Equal lines that show around a difference. */
const around = 3;

/** Two texts side by side; differences are gone to one after the other, and copied into an edit of the other side. */
export function DiffSides({ left, right, canCopy }: DiffSidesProps) {
  const { api, queryClient, queries, services } = useApp();
  const userId = useQuery(queries.session).data?.id ?? 0;
  const parts = useMemo(() => partsOf(left.text, right.text), [left.text, right.text]);
  const [at, setAt] = useState(-1);
  const table = useRef<HTMLDivElement>(null);
  const count = parts.filter(({ isSame }) => !isSame).length;
  const go = (by: 1 | -1) => {
    if (count === 0) return;
    const next = at < 0 && by < 0 ? count - 1 : (at + by + count) % count;
    setAt(next);
    const hunk = table.current?.querySelectorAll<HTMLElement>('.hunk')[next];
    hunk?.scrollIntoView({ block: 'center' });
    hunk?.focus({ preventScroll: true });
  };

  /** Opens an edit of one side with the other's lines filled in; nothing is applied. */
  const copy = async (part: Part, to: 'left' | 'right') => {
    const side = to === 'left' ? left : right;
    const { ref } = side;
    if (ref === undefined) return;
    try {
      const { resourceVersion, object } = await api.editSource({
        params: { clusterId: Number(ref.cluster), kind: ref.kind, name: ref.name },
        query: ref.namespace === undefined ? {} : { namespace: ref.namespace },
      });
      const base = baseOf(resourceVersion, object);
      const text = withOther(side.text, part, to);
      queryClient.setQueryData(unsentKey(userId, editPlace(ref)), {
        text: JSON.stringify({ version: base.resourceVersion, base: base.text, text }),
        base: null,
      });
      services.objects.open(ref, 'split-right', 'edit');
    } catch (error) {
      services.toast.error(sentenceOf(error), { duration: Number.POSITIVE_INFINITY });
    }
  };

  return (
    <>
      <div className="row compare-tools">
        <span className="semi" role="status">
          {count === 0 ? 'No differences' : count === 1 ? '1 difference' : `${count} differences`}
          {at >= 0 && count > 0 && `, at ${at + 1}`}
        </span>
        <span className="grow" />
        <Button
          size="sm"
          variant="secondary"
          disabled={count === 0}
          icon={<ChevronUp size={13} aria-hidden="true" />}
          onClick={() => go(-1)}
        >
          Previous difference
        </Button>
        <Button
          size="sm"
          variant="secondary"
          disabled={count === 0}
          icon={<ChevronDown size={13} aria-hidden="true" />}
          onClick={() => go(1)}
        >
          Next difference
        </Button>
      </div>
      <div className="sides code" ref={table}>
        <div className="sides-head">
          <h3 className="trunc">{left.title}</h3>
          <h3 className="trunc">{right.title}</h3>
        </div>
        {parts.map((part, index) => {
          if (part.isSame) return <Same key={`${index}`} part={part} />;
          const hunk = parts.slice(0, index).filter(({ isSame }) => !isSame).length;
          return (
            <section
              key={`${index}`}
              className="hunk"
              tabIndex={-1}
              aria-label={`Difference ${hunk + 1} of ${count}`}
            >
              <div className="sides-row">
                <Lines lines={part.left} from={part.leftAt} className="removed" word="left: " />
                <Lines lines={part.right} from={part.rightAt} className="added" word="right: " />
              </div>
              {canCopy && (
                <div className="row hunk-tools">
                  {right.ref !== undefined && (
                    <Button size="sm" variant="light" onClick={() => void copy(part, 'right')}>
                      Copy left’s to right…
                    </Button>
                  )}
                  <Button size="sm" variant="light" onClick={() => void copy(part, 'left')}>
                    Copy right’s to left…
                  </Button>
                </div>
              )}
            </section>
          );
        })}
      </div>
    </>
  );
}

function Same({ part }: { readonly part: Part }) {
  const [isOpen, setOpen] = useState(false);
  const { left, leftAt, rightAt } = part;
  const hidden = left.length - 2 * around;
  const row = (from: number, to: number) => (
    <div className="sides-row">
      <Lines lines={left.slice(from, to)} from={leftAt + from} className="" word="" />
      <Lines lines={left.slice(from, to)} from={rightAt + from} className="" word="" />
    </div>
  );
  if (isOpen || hidden < 2) return row(0, left.length);
  return (
    <>
      {row(0, around)}
      <button type="button" className="skip" aria-expanded="false" onClick={() => setOpen(true)}>
        {hidden} equal lines
      </button>
      {row(left.length - around, left.length)}
    </>
  );
}

interface LinesProps {
  readonly lines: readonly string[];
  readonly from: number;
  readonly className: string;
  readonly word: string;
}

function Lines({ lines, from, className, word }: LinesProps) {
  return (
    <pre className={lines.length === 0 ? 'none' : className}>
      {lines.map((line, index) => (
        <div key={`${index}`}>
          <span className="ln" aria-hidden="true">
            {from + index}
          </span>
          <span className="vh">{word}</span>
          {line}
        </div>
      ))}
    </pre>
  );
}
