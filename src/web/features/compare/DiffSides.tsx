import { ChevronDown, ChevronUp } from 'lucide-react';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { mayAct, useMay } from '../../data/may-act.ts';
import { Button } from '../../kit/Button.tsx';
import { CheckLine } from '../../kit/input.tsx';
import { ViewBody } from '../../kit/ViewBody.tsx';
import { useTool } from '../../workspace/use-tool.ts';
import { useViewSearch } from '../../workspace/view.ts';
import { useWhyNot } from '../../kit/use-why-not.ts';
import { type CopyRefusal, DiffRows } from './DiffRows.tsx';
import { hasMasked } from './copy.ts';
import { partsOf } from './hunks.ts';
import { useCopy } from './use-copy.ts';

/** One side of a comparison. */
export interface Side {
  readonly title: string;
  /** The colour of its cluster; undefined where it is in none. */
  readonly colour: number | undefined;
  /** Undefined while it is read. */
  readonly text: string | undefined;
  /** Undefined where it is nothing that can be edited. */
  readonly ref: ObjectRef | undefined;
}

/** Two sides. */
export interface Comparison {
  readonly left: Side & { readonly text: string };
  readonly right: Side;
}

interface DiffSidesProps {
  readonly kind: AnyKind;
  readonly comparison: Comparison;
  readonly withStatus: boolean;
  readonly onStatus: () => void;
  /** Reads the other side again. */
  readonly onAgain: () => void;
  readonly renderStatus: (place: string | undefined) => ReactNode;
  /** Shown above: the fields that choose the other side, and their errors. */
  readonly children: ReactNode;
}

/**
 * Two texts side by side or in one column; the address holds which. Leads from one difference to the next, and copies a
 * difference into an edit of the other side.
 */
export function DiffSides({
  kind,
  comparison: { left, right },
  withStatus,
  onStatus,
  onAgain,
  renderStatus,
  children,
}: DiffSidesProps) {
  const { services } = useCommands();
  const { queryClient, queries } = useData();
  const copy = useCopy();
  const explain = useWhyNot();
  const [{ layout }, setSearch] = useViewSearch();
  const isUnified = layout === 'unified';
  // Known before it is asked for below.
  useMay(left.ref?.cluster ?? '');
  useMay(right.ref?.cluster ?? left.ref?.cluster ?? '');
  const parts = useMemo(
    () => (right.text === undefined ? [] : partsOf(left.text, right.text)),
    [left.text, right.text],
  );
  const [at, setAt] = useState(-1);
  const table = useRef<HTMLDivElement>(null);
  const differences = parts.filter(({ isSame }) => !isSame);
  const count = differences.length;
  const present = Math.min(at, count - 1);

  const go = (by: 1 | -1) => {
    if (count === 0) return;
    const next = present < 0 && by < 0 ? count - 1 : (present + by + count) % count;
    setAt(next);
    const hunk = table.current?.querySelectorAll<HTMLElement>('[data-part=hunk]')[next];
    hunk?.scrollIntoView({ block: 'center' });
    hunk?.focus({ preventScroll: true });
  };
  /** Why the difference cannot be copied to a side; undefined where it can. */
  const whyNot = (index: number, to: 'left' | 'right'): CopyRefusal | undefined => {
    const { ref } = to === 'left' ? left : right;
    const part = differences[index];
    if (part === undefined) return { reason: 'Go to a difference first.' };
    if (ref === undefined) return { reason: 'The last applied configuration cannot be edited.' };
    if (!mayAct({ queryClient, queries }, Number(ref.cluster), kind)({}))
      return {
        reason: `You may not change ${kind.title} there. Press to see who can grant it.`,
        explain: () =>
          explain({
            what: `Change ${kind.title}`,
            needs: kind.permissions.manage,
            cluster: ref.cluster,
            namespace: ref.namespace,
          }),
      };
    if (withStatus) return { reason: 'Hide the status first: it cannot be edited.' };
    if (hasMasked(part))
      return {
        reason: 'Its values are masked. Reveal them on the page of the object, and enter them yourself.',
      };
    return undefined;
  };
  const take = (index: number, to: 'left' | 'right') => {
    const side = to === 'left' ? left : right;
    const part = differences[index];
    const refusal = whyNot(index, to);
    if (refusal?.explain !== undefined) refusal.explain();
    else if (refusal !== undefined) services.toast.info(refusal.reason);
    else if (part !== undefined && side.ref !== undefined && side.text !== undefined)
      void copy({ ref: side.ref, text: side.text, part, to });
  };

  const isRead = right.text !== undefined;
  const step = (by: 1 | -1) => {
    if (count === 0) services.toast.info('There are no differences.');
    else go(by);
  };
  useTool('diff', {
    status: onStatus,
    ...(isRead
      ? {
          next: () => step(1),
          previous: () => step(-1),
          toLeft: () => take(present, 'left'),
          toRight: () => take(present, 'right'),
          again: onAgain,
        }
      : {}),
  });

  const counted = isRead ? countText(count, present) : undefined;
  return (
    <>
      <ViewBody isScrolled className="flex flex-col gap-2 p-2">
        {children}
        <DiffTools
          withStatus={withStatus}
          onStatus={onStatus}
          isUnified={isUnified}
          onUnified={(isWanted) => setSearch({ layout: isWanted ? 'unified' : undefined })}
          counted={counted}
          canGo={count > 0}
          onGo={go}
        />
        {right.text !== undefined && (
          <DiffRows
            ref={table}
            parts={parts}
            heads={[left, right]}
            isUnified={isUnified}
            current={present}
            canCopyRight={right.ref !== undefined}
            whyNot={whyNot}
            onCopy={take}
          />
        )}
      </ViewBody>
      {renderStatus(counted)}
    </>
  );
}

/** @param present index of the difference that was gone to; negative before the first one was */
function countText(count: number, present: number): string {
  if (count === 0) return 'No differences';
  if (present >= 0) return `Difference ${present + 1} of ${count}`;
  return count === 1 ? '1 difference' : `${count} differences`;
}

interface DiffToolsProps {
  readonly withStatus: boolean;
  readonly onStatus: () => void;
  readonly isUnified: boolean;
  readonly onUnified: (isWanted: boolean) => void;
  /** How many differences there are; undefined while the other side is read. */
  readonly counted: string | undefined;
  readonly canGo: boolean;
  readonly onGo: (by: 1 | -1) => void;
}

/** The toolbar of a comparison: what is compared, the layout, and the steps between differences. */
function DiffTools({ withStatus, onStatus, isUnified, onUnified, counted, canGo, onGo }: DiffToolsProps) {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      <CheckLine checked={withStatus} onChange={onStatus}>
        Status
      </CheckLine>
      <span className="text-(length:--text-xs) text-text-2 narrow:hidden">
        without name, namespace, uids, versions and values that each cluster sets
      </span>
      <span className="min-w-0 flex-1" />
      {counted !== undefined && (
        <>
          <span className="flex min-w-0 items-center gap-1.5 narrow:hidden" role="group" aria-label="Layout">
            {(['Split', 'Unified'] as const).map((name) => (
              <Button
                key={name}
                size="sm"
                variant={isUnified === (name === 'Unified') ? 'light' : 'transparent'}
                aria-pressed={isUnified === (name === 'Unified')}
                onClick={() => onUnified(name === 'Unified')}
              >
                {name}
              </Button>
            ))}
          </span>
          <span className="font-semibold">{counted}</span>
          <Button
            className="narrow:w-9 narrow:px-0"
            size="sm"
            variant="secondary"
            disabled={!canGo}
            icon={<ChevronUp size={13} aria-hidden="true" />}
            onClick={() => onGo(-1)}
          >
            <span className="narrow:sr-only">Previous difference</span>
          </Button>
          <Button
            className="narrow:w-9 narrow:px-0"
            size="sm"
            variant="secondary"
            disabled={!canGo}
            icon={<ChevronDown size={13} aria-hidden="true" />}
            onClick={() => onGo(1)}
          >
            <span className="narrow:sr-only">Next difference</span>
          </Button>
        </>
      )}
    </div>
  );
}
