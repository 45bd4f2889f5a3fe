import { X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { questionLimit, type Suggestion } from '../../../contract/chat.ts';
import type { Ref } from '../../../contract/objects.ts';
import { kindLabel } from '../../core/kinds/names.ts';
import { qualifiedName } from '../../features/actions/acting.ts';
import { Badge } from '../../kit/Badge.tsx';
import { Button, IconButton } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Field } from '../../kit/fields.tsx';
import { useView } from '../../workspace/view.ts';
import type { Asking } from './use-asking.ts';

interface AskFormProps {
  /** The object that is asked about, from the address. */
  readonly about: Ref | undefined;
  readonly suggestions: readonly Suggestion[];
  readonly asking: Asking;
  readonly isRunning: boolean;
  readonly onStop: (() => void) | undefined;
  readonly onDropAbout: () => void;
  /** The conversation begins here, so there is nothing else to read: the field takes the keys at once. */
  readonly isNew: boolean;
}

/** The field for a question, with what is worth asking below it. Enter asks; Shift+Enter begins a line. */
export function AskForm(props: AskFormProps) {
  const { about, suggestions, asking, isRunning, onStop, onDropAbout, isNew } = props;
  const { isFocused } = useView();
  const [text, setText] = useState(about === undefined ? '' : `What is wrong with ${about.name}?`);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const isNamed = about !== undefined;
  useEffect(() => {
    // A field that has the focus brings up the keyboard of a touch screen.
    const isWanted = isNamed || (isNew && !window.matchMedia('(pointer: coarse)').matches);
    if (!isWanted || !isFocused) return;
    field.current?.focus();
    // Whoever asked about an object sends with the next key, or types over it.
    if (isNamed) field.current?.select();
  }, [isNamed, isNew, isFocused]);
  const ask = async (question: string, ref: Ref | undefined) => {
    if (question.trim() === '' || isRunning) return;
    // A suggestion leaves what was typed before.
    if (await asking.ask(question, ref)) setText((now) => (now === question ? '' : now));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void ask(text, about);
  };
  return (
    <form
      className="flex min-w-0 flex-col gap-2"
      aria-label="Ask"
      onSubmit={(event) => {
        event.preventDefault();
        void ask(text, about);
      }}
    >
      <ErrorAlert error={asking.failure} />
      {about !== undefined && (
        <span className="flex min-w-0 items-center gap-1.5">
          <Badge className="max-w-full wrap-anywhere">
            About {kindLabel(about.kind)} {qualifiedName(about)}
          </Badge>
          <IconButton label="Ask about the whole cluster" size="sm" onClick={onDropAbout}>
            <X size={13} aria-hidden="true" />
          </IconButton>
        </span>
      )}
      <Field id={id} label="Question" required={undefined}>
        <textarea
          ref={field}
          id={id}
          rows={3}
          maxLength={questionLimit}
          placeholder="What is wrong in this cluster?"
          className="block w-full resize-y rounded-sm border border-control bg-surface p-2 placeholder:text-text-3 placeholder:opacity-100 focus-visible:border-transparent focus-visible:outline-2 focus-visible:outline-offset-0 focus-visible:outline-focus"
          value={text}
          readOnly={asking.isBusy}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={onKeyDown}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          isLoading={asking.isBusy}
          loadingText="Asking..."
          reason={
            isRunning
              ? 'Your last question is still being answered.'
              : text.trim() === ''
                ? 'Write a question first.'
                : undefined
          }
        >
          Ask
        </Button>
        {onStop !== undefined && (
          <Button variant="secondary" onClick={onStop}>
            Stop
          </Button>
        )}
      </div>
      {suggestions.length > 0 && !isNamed && (
        <section className="flex flex-col items-start gap-1.5" aria-label="Suggested questions">
          {suggestions.map(({ question, about: ref }) => (
            <Button
              key={`${question} ${JSON.stringify(ref)}`}
              size="sm"
              variant="secondary"
              className="max-w-full min-w-0 [&]:h-auto [&]:min-h-control-sm narrow:[&]:min-h-9 [&]:py-1 [&]:text-left [&]:leading-tight [&]:wrap-anywhere [&]:whitespace-normal"
              onClick={() => void ask(question, ref ?? undefined)}
            >
              {question}
            </Button>
          ))}
        </section>
      )}
    </form>
  );
}
