import { useQuery } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { ChevronRight, Search, X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import {
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { tellFailure } from '../../registry/execute.ts';
import { rankQuery } from '../../registry/rank.ts';
import { stepLabel } from '../../registry/palette-steps.ts';
import { readPaletteInput } from '../../registry/palette-query.ts';
import { useApp } from '../app/context.ts';
import { IconButton } from '../ui/Button.tsx';
import { ContextChips } from './ContextChips.tsx';
import type { Content } from './content.ts';
import { EntryRow } from './EntryRow.tsx';
import { type Entry, mostEntries } from './entries.ts';
import { Footer } from './Footer.tsx';
import { back, firstFrames, type Frames, lastFrame, typed, withAllObjects } from './frames.ts';
import type { PaletteOpening } from './opening.ts';
import { PaletteBoundary } from './PaletteBoundary.tsx';
import { answered, nextStep, type Pending, pendingTitle, type RunTarget, stepsLeft } from './pending.ts';
import { focusBeforeGoing, objectOfEntry, returnFocus } from './palette-focus.ts';
import { runsStore } from './recent-runs.ts';
import { useActions } from './use-actions.ts';
import { useRoot } from './use-root.ts';
import { useStep } from './use-step.tsx';

export interface PaletteProps {
  readonly opening: PaletteOpening;
  readonly onClose: () => void;
}

/** Entries by heading, in the order the headings come. */
function sectionsOf(entries: readonly Entry[]): readonly (readonly [string, readonly Entry[]])[] {
  const sections = new Map<string, Entry[]>();
  for (const entry of entries) {
    const known = sections.get(entry.section);
    if (known === undefined) sections.set(entry.section, [entry]);
    else known.push(entry);
  }
  return [...sections];
}

/** The palette. Should it fail, it closes and says so; the console goes on. */
export function Palette(props: PaletteProps) {
  const { services } = useApp();
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

/** A field, and what it finds. The page behind it rests. */
function PaletteView({ opening, onClose }: PaletteProps) {
  const { registry, run, services, workspace, queries, shownPalette } = useApp();
  const userId = useQuery(queries.session).data?.id;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [listId, setListId] = useState('');
  const [frames, setFrames] = useState<Frames>(() => firstFrames(opening, registry));
  /** What the person moved to; without it the first. */
  const [picked, setPicked] = useState<string | undefined>(undefined);
  /** Enter came before the answer: what is first then is taken. */
  const awaited = useRef<RunTarget | undefined>(opening.isEntered === true ? 'here' : undefined);
  /** What is done once the palette is gone and the focus is back. */
  const afterwards = useRef<(() => void) | undefined>(undefined);
  /** Whether the dialog has taken the focus: one that is closed before gives none back, and nothing comes afterwards. */
  const [isOpen, setOpen] = useState(false);
  /** That is a way to another page. */
  const isGoing = useRef(false);
  const frame = lastFrame(frames);
  const { text } = frame;
  const pending = frame.type === 'step' ? frame.pending : undefined;
  const step = pending === undefined ? undefined : nextStep(pending);

  const root = useRoot(opening, frame.type === 'root' ? frame : undefined);
  const actions = useActions(opening, frame.type === 'actions' ? frame.ref : undefined, text);
  const asked = useStep(opening, pending, step, text);
  const content: Content = frame.type === 'root' ? root : frame.type === 'actions' ? actions : asked;
  const sections = useMemo(() => sectionsOf(content.entries), [content.entries]);
  const entries = useMemo(() => sections.flatMap(([, one]) => one), [sections]);
  const first = entries.find(({ reason }) => reason === undefined) ?? entries[0];
  const selected = entries.find((entry) => entry.id === picked) ?? first;
  const query = useMemo(
    () => rankQuery(frame.type === 'root' ? readPaletteInput(text).text : text),
    [frame.type, text],
  );

  useEffect(() => {
    // The dialog hides the page from assistive technology; this keeps focus out of it as well.
    const shell = document.querySelector('.app');
    shell?.setAttribute('inert', '');
    return () => shell?.removeAttribute('inert');
  }, []);

  const go = (next: Frames) => {
    setFrames(next);
    setPicked(undefined);
    awaited.current = undefined;
  };
  const close = (then?: () => void, goes = false) => {
    afterwards.current = then;
    isGoing.current = goes;
    onClose();
  };
  /** Opens something once the palette is gone; what keeps it from opening is said. */
  const leaveTo = (open: () => void) =>
    close(() => {
      try {
        open();
      } catch (error) {
        tellFailure(error, 'What was chosen could not be opened.', services);
      }
    }, true);
  const finish = ({ command, args, subject }: Pending, target: RunTarget) => {
    if (userId !== undefined && command.type === 'action' && command.group !== 'List') {
      const refs = subject.type === 'objects' && command.actsOn !== undefined ? subject.refs : [];
      runsStore.note(localStorage, userId, { command: command.id, args, refs, at: Date.now() });
    }
    close(() => run(command.id, args, { subject, source: 'palette', target }), command.type === 'route');
  };
  const proceed = (next: Pending, target: RunTarget) => {
    if (nextStep(next) === undefined) finish(next, target);
    else go([...frames, { type: 'step', text: '', pending: next }]);
  };
  const choose = (entry: Entry | undefined, target: RunTarget) => {
    if (entry === undefined || entry.reason !== undefined) return;
    const { act } = entry;
    switch (act.type) {
      case 'command':
        proceed({ command: act.command, args: act.args, subject: act.subject, answers: [] }, target);
        break;
      case 'object':
        leaveTo(() => services.objects.open(act.ref, target));
        break;
      case 'place':
        leaveTo(() => workspace.open(act.href, target));
        break;
      case 'text':
        go(typed(frames, act.text));
        break;
      case 'all-objects':
        go(withAllObjects(frames));
        break;
      case 'answer':
        if (pending !== undefined && step !== undefined)
          proceed(answered(pending, step, act.value, act.label), target);
        break;
      default:
        act satisfies never;
    }
  };

  const takeAwaited = useEffectEvent((isThere: boolean) => {
    const target = awaited.current;
    if (target === undefined || !isThere) return;
    awaited.current = undefined;
    choose(selected, target);
  });
  useEffect(
    () => takeAwaited(isOpen && (entries.length > 0 || content.isPending !== true)),
    [isOpen, entries, content.isPending],
  );

  const selectedId = selected?.id;
  useLayoutEffect(() => {
    // The library names its list and its options itself.
    setListId(list.current?.id ?? '');
    const options = list.current?.querySelectorAll<HTMLElement>('[cmdk-item]') ?? [];
    const option = [...options].find((one) => one.dataset['value'] === selectedId);
    if (option === undefined) input.current?.removeAttribute('aria-activedescendant');
    else input.current?.setAttribute('aria-activedescendant', option.id);
    if (selectedId !== undefined && selectedId === entries[0]?.id) list.current?.scrollTo({ top: 0 });
    else option?.scrollIntoView({ block: 'nearest' });
  }, [selectedId, entries]);

  const move = (by: number) => {
    const at = entries.findIndex((entry) => entry.id === selectedId);
    const next =
      Math.abs(by) === 1
        ? (at + by + entries.length) % entries.length
        : Math.min(entries.length - 1, Math.max(0, at + by));
    setPicked(entries[next]?.id);
  };
  const stepBack = (): boolean => {
    const before = back(frames);
    if (before !== undefined) go(before);
    return before !== undefined;
  };
  const object =
    selected === undefined || frame.type !== 'root' ? undefined : objectOfEntry(registry, selected);
  const isCaretAtEnd = () => {
    const field = input.current;
    return (
      field !== null &&
      field.selectionStart === field.value.length &&
      field.selectionEnd === field.value.length
    );
  };
  // Published anew at each render: its keys, which are commands, see the entries of this moment.
  useLayoutEffect(() => {
    shownPalette.set({
      move: (by) => {
        if (entries.length > 0) move(by);
      },
      take: (target) => {
        if (selected === undefined && content.isPending === true) awaited.current = target;
        else choose(selected, target);
      },
      openActions: () => {
        if (object !== undefined) go([...frames, { type: 'actions', text: '', ref: object }]);
      },
      back: () => {
        if (!stepBack()) close();
      },
      entry: () =>
        selected === undefined ? 'none' : object !== undefined && isCaretAtEnd() ? 'actions' : 'plain',
    });
  });
  useLayoutEffect(() => () => shownPalette.set(undefined), [shownPalette]);
  /** What the field understands by itself; its other keys are commands. */
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const { value } = event.currentTarget;
    // The library would take these for its list; they belong to the text.
    event.stopPropagation();
    if ((event.key === 'Backspace' && value === '') || (event.key === 'ArrowLeft' && value === '')) {
      if (stepBack()) event.preventDefault();
    } else if (event.key === 'Tab' && !event.shiftKey) {
      const more = entries.find(({ act }) => act.type === 'all-objects');
      if (more === undefined) return;
      event.preventDefault();
      choose(more, 'here');
    }
  };
  const point = (event: PointerEvent<HTMLElement>) => {
    const option = event.target instanceof Element ? event.target.closest<HTMLElement>('[cmdk-item]') : null;
    const value = option?.dataset['value'];
    if (value !== undefined && value !== selectedId) setPicked(value);
  };

  const count =
    content.entries.length === mostEntries
      ? `The first ${mostEntries}; keep typing for others`
      : entries.length === 1
        ? '1 result'
        : `${entries.length} results`;
  const hasNothing = entries.length === 0;
  return (
    <Radix.Root
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) close();
      }}
    >
      <Radix.Portal>
        <div className="scrim" />
        <Radix.Content
          className="pal"
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            input.current?.focus();
            setOpen(true);
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (isGoing.current) focusBeforeGoing(opening.opener, () => services.view.focus());
            else returnFocus(opening.opener);
            afterwards.current?.();
          }}
          onEscapeKeyDown={(event) => {
            if (stepBack()) event.preventDefault();
          }}
        >
          <Radix.Title className="vh">Command palette</Radix.Title>
          <Command
            shouldFilter={false}
            vimBindings={false}
            disablePointerSelection
            label="Command palette"
            value={selectedId ?? ''}
            onValueChange={() => undefined}
          >
            <div className="q">
              {pending === undefined && frame.type === 'root' ? (
                <Search size={16} strokeWidth={1.75} aria-hidden="true" />
              ) : (
                <>
                  <button
                    type="button"
                    className="ctx crumb"
                    tabIndex={-1}
                    onMouseDown={(event) => event.preventDefault()}
                    onClick={() => stepBack()}
                  >
                    {frame.type === 'actions'
                      ? frame.ref.name
                      : pending === undefined
                        ? ''
                        : pendingTitle(pending)}
                  </button>
                  {pending?.answers.map((answer, index) => (
                    <span key={`${index} ${answer}`} className="ctx">
                      {answer}
                    </span>
                  ))}
                  <ChevronRight size={13} strokeWidth={1.75} aria-hidden="true" />
                  {step !== undefined && <span className="sec">{stepLabel(step)}</span>}
                </>
              )}
              <input
                ref={input}
                id={`${id}-field`}
                type="text"
                role="combobox"
                aria-label={step === undefined ? 'Command palette' : stepLabel(step)}
                aria-expanded="true"
                aria-autocomplete="list"
                aria-controls={listId}
                aria-describedby={`${id}-count`}
                placeholder={content.placeholder}
                value={text}
                autoComplete="off"
                autoCorrect="off"
                autoCapitalize="none"
                spellCheck={false}
                onChange={(event) => go(typed(frames, event.target.value))}
                onKeyDown={press}
              />
              {pending === undefined ? (
                <ContextChips opening={opening} />
              ) : (
                <span className="sec nowrap">
                  {`step ${pending.answers.length + 1} of ${pending.answers.length + stepsLeft(pending)}`}
                </span>
              )}
              <IconButton label="Close" className="only-n" onClick={() => close()}>
                <X size={16} strokeWidth={1.75} aria-hidden="true" />
              </IconButton>
            </div>
            <Command.List
              ref={list}
              className="list"
              label={content.placeholder}
              onPointerMove={point}
              // The field keeps the focus, whatever is pressed.
              onMouseDown={(event) => event.preventDefault()}
            >
              {sections.map(([heading, some]) => (
                <Command.Group key={heading} heading={heading}>
                  {some.map((entry) => (
                    <Command.Item
                      key={entry.id}
                      value={entry.id}
                      className="pi"
                      disabled={entry.reason !== undefined}
                      data-on={entry.id === selectedId}
                      onSelect={() => choose(entry, 'here')}
                    >
                      <EntryRow entry={entry} query={query} />
                    </Command.Item>
                  ))}
                </Command.Group>
              ))}
            </Command.List>
            {hasNothing && content.isPending !== true && (
              <p className="pal-none">
                {content.empty ?? 'Nothing matches. Type ? to see what can be typed.'}
              </p>
            )}
            {content.notes?.map((note) => (
              <p key={note} className="pal-note">
                {note}
              </p>
            ))}
            {content.preview !== undefined && <div className="pal-preview">{content.preview(selected)}</div>}
            <p id={`${id}-count`} className="vh" role="status">
              {content.isPending === true ? `${count}, reading more` : count}
              {selected?.reason === undefined ? '' : `. Not now: ${selected.reason}`}
            </p>
          </Command>
          <Footer frame={frame} isPending={content.isPending === true} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
