import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import { readPaletteInput } from '../../../registry/palette/query.ts';
import { rankQuery } from '../../../registry/palette/rank.ts';
import { useCommands } from '../../core/commands.ts';
import { usePalette } from './port.ts';
import { IconButton } from '../../kit/Button.tsx';
import { scrim } from '../../kit/menu.ts';
import { ContextChips } from './ContextChips.tsx';
import { EntryList, sectionsOf } from './EntryList.tsx';
import { entryOfOption, optionId } from './EntryLine.tsx';
import { type Entry, maxEntries } from './entries.ts';
import type { Content } from './content.ts';
import { Footer } from './Footer.tsx';
import { firstFrames, lastFrame } from './frames.ts';
import type { PaletteOpening } from './opening.ts';
import { PaletteBoundary } from './PaletteBoundary.tsx';
import { PaletteCommand } from './PaletteCommand.tsx';
import { PaletteField } from './PaletteField.tsx';
import { objectOfEntry } from './palette-focus.ts';
import { useChoosing } from './use-choosing.ts';
import { useContent } from './use-content.ts';
import { type Leaving, useLeaving } from './use-leaving.ts';
import { useLevels } from './use-levels.ts';
import { useLongPending } from './use-long-pending.ts';
import { useExplained } from './use-explained.ts';
import { usePaletteKeys } from './use-palette-keys.ts';
import { usePreselected } from './use-preselected.ts';

export interface PaletteProps {
  readonly opening: PaletteOpening;
  readonly onClose: () => void;
}

/** The palette. Should it fail, it closes and says so; the console goes on. */
export function Palette(props: PaletteProps) {
  const { services } = useCommands();
  return (
    <PaletteBoundary
      onError={(error) => {
        props.onClose();
        services.log('The palette failed.', error);
        services.toast.error(
          'The palette failed and was closed. Try again; if it fails again, reload the page.',
        );
      }}
    >
      <PaletteView {...props} />
    </PaletteBoundary>
  );
}

/** The number of results, as a screen reader announces it. */
function countOf(count: number): string {
  if (count === maxEntries) return `The first ${maxEntries}; keep typing for others`;
  return count === 1 ? '1 result' : `${count} results`;
}

/** The dialog. It is not drawn again for what is typed in it. */
function PaletteView({ opening, onClose }: PaletteProps) {
  const { shownPalette } = usePalette();
  const input = useRef<HTMLInputElement>(null);
  /** Whether the dialog has taken the focus: one that is closed before gives none back, and nothing comes afterwards. */
  const [isOpen, setOpen] = useState(false);
  const leaving = useLeaving(opening.opener, onClose);
  return (
    <Radix.Root
      open
      onOpenChange={(isToBe) => {
        if (!isToBe) leaving.close();
      }}
    >
      <Radix.Portal>
        <div className={scrim} />
        <Radix.Content
          className={[
            'fixed top-18 left-1/2 z-dialog flex max-h-[calc(100dvh-6rem)] w-[min(42.5rem,calc(100vw-1.5rem))] -translate-x-1/2 flex-col',
            'data-[state=open]:animate-appear overflow-hidden rounded-lg border border-border bg-overlay shadow-overlay outline-none',
            'narrow:top-0 narrow:left-0 narrow:h-dvh narrow:max-h-none narrow:w-screen narrow:translate-x-0 narrow:rounded-none narrow:border-0',
          ].join(' ')}
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            input.current?.focus();
            setOpen(true);
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            leaving.gone();
          }}
          onEscapeKeyDown={(event) => {
            const shown = shownPalette.get();
            if (shown === undefined) return;
            event.preventDefault();
            shown.back();
          }}
        >
          <Radix.Title className="sr-only">Command palette</Radix.Title>
          <PaletteBody opening={opening} input={input} isOpen={isOpen} leaving={leaving} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface PaletteBodyProps {
  readonly opening: PaletteOpening;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly isOpen: boolean;
  readonly leaving: Leaving;
}

/** A field, and what it finds. The page behind it rests. */
function PaletteBody({ opening, input, isOpen, leaving }: PaletteBodyProps) {
  const { registry } = useCommands();
  const id = useId();
  const listId = `${id}-list`;
  const countId = `${id}-count`;
  const levels = useLevels(() => firstFrames(opening, registry));
  const choose = useChoosing(levels, leaving);
  const [explained, explain] = useExplained(levels);
  const { frames, picked } = levels;
  const frame = lastFrame(frames);
  const { text } = frame;
  const content = useContent(opening, frame);
  const isPending = content.isPending === true;
  const isWaiting = useLongPending(isPending);
  const entries = useMemo(() => sectionsOf(content.entries).flatMap(([, some]) => some), [content.entries]);
  const first = usePreselected(entries, frames, content);
  const selected = entries.find((entry) => entry.id === picked) ?? first;
  const query = useMemo(
    () => rankQuery(frame.type === 'root' ? readPaletteInput(text).text : text),
    [frame.type, text],
  );
  const object =
    selected === undefined || frame.type !== 'root' ? undefined : objectOfEntry(registry, selected);

  useEffect(() => {
    // The dialog hides the page from assistive technology; this keeps focus out of it as well.
    const shell = document.querySelector('[data-app]');
    shell?.setAttribute('inert', '');
    return () => shell?.removeAttribute('inert');
  }, []);
  const stepBack = usePaletteKeys({
    input,
    levels,
    leaving,
    entries,
    selected,
    object,
    isPending,
    isOpen,
    isEntered: opening.isEntered === true,
    choose,
    explain,
  });

  const count = countOf(entries.length);
  const activeId = selected === undefined ? undefined : optionId(listId, selected.id);
  return (
    <PaletteCommand
      activeId={activeId}
      onPoint={(option) => {
        const pointed = entryOfOption(listId, option, entries);
        if (pointed !== undefined) levels.pick(pointed.id);
      }}
    >
      <PaletteField
        input={input}
        levels={levels}
        frame={frame}
        placeholder={content.placeholder}
        activeId={activeId}
        countId={countId}
        onBack={stepBack}
        onTab={() => {
          const more = entries.find(({ keys }) => keys === 'tab');
          choose(more, 'here');
          return more !== undefined;
        }}
        close={
          <IconButton label="Close" className="md:hidden" onClick={() => leaving.close()}>
            <X size={16} strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
        }
      >
        <ContextChips opening={opening} />
      </PaletteField>
      <EntryList
        id={listId}
        label={content.placeholder}
        entries={entries}
        query={query}
        selectedId={selected?.id}
        isMarked={isOpen}
        onChoose={(entry) => choose(entry, 'here')}
      />
      <UnderEntries content={content} selected={selected} isEmpty={entries.length === 0 && !isPending} />
      <p id={countId} className="sr-only" role="status">
        {isWaiting ? `${count}, reading more` : count}
        {selected?.reason === undefined ? '' : `. Not now: ${selected.reason}`}
        {selected === undefined && entries.length > 0 ? `. ${noneHighlighted}` : ''}
      </p>
      <p className={explainedLook} role="status">
        {explained}
      </p>
      <Footer type={frame.type} isPending={isWaiting} />
    </PaletteCommand>
  );
}

/** Announced while no entry is highlighted. */
const noneHighlighted = 'Nothing is preselected: the arrow keys move to commands that change something';

/** Above the footer: why Enter has done nothing. */
const explainedLook =
  'flex-none border-t border-border bg-raised px-3.5 py-2 text-(length:--text-sm) text-text empty:hidden';

interface UnderEntriesProps {
  readonly content: Content;
  readonly selected: Entry | undefined;
  /** Nothing was found, and nothing more is being read. */
  readonly isEmpty: boolean;
}

/** Below the list: that nothing matches, what could not be read, and what the selected entry would change. */
function UnderEntries({ content, selected, isEmpty }: UnderEntriesProps) {
  return (
    <>
      {isEmpty && (
        <p className="px-3.5 py-3 text-text-2">
          {content.empty ?? 'Nothing matches. Type ? to see what can be typed.'}
        </p>
      )}
      {content.notes?.map((note) => (
        <p key={note} className="border-t border-border px-3.5 py-1.5 text-(length:--text-xs) text-text-2">
          {note}
        </p>
      ))}
      {content.preview !== undefined && (
        <div className="max-h-56 flex-none overflow-auto border-t border-border px-3.5 pt-1 pb-2.5 empty:hidden">
          {content.preview(selected)}
        </div>
      )}
    </>
  );
}
