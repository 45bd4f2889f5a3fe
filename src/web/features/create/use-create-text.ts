import { useState } from 'react';
import { renderTemplate } from '../../../../commands/templates/render.ts';
import type { CreateRequest } from '../../../registry/commands/services.ts';
import { useUnsent } from '../edit/unsent.ts';

/** The text of the dialog that creates resources: a prepared one, a template's, the draft that was kept, or what was typed since. */
export interface CreateText {
  readonly text: string;
  /** Whether the dialog began with a template, or with a prepared text. */
  readonly isPrepared: boolean;
  /** The draft that was kept before, where the dialog began with something else. */
  readonly offeredDraft: string | undefined;
  /** Why no draft is kept of what is typed, if none is. */
  readonly notKept: string | undefined;
  readonly change: (next: string) => void;
  /** Puts the offered draft in the place of the text. */
  readonly restore: (draft: string) => void;
  /** Drops the draft: everything in it is created. */
  readonly discard: () => void;
}

/** @param namespace in which templates create */
export function useCreateText(request: CreateRequest, namespace: string | undefined): CreateText {
  const [prepared] = useState(
    () => request.text ?? renderTemplate(request.resource ?? '', request.variant ?? '', { namespace }),
  );
  const unsent = useUnsent('create');
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const [earlier, setEarlier] = useState<string | undefined>(undefined);
  const draft = unsent.kept?.text;
  const isPrepared = prepared !== '';
  const text = typed ?? (isPrepared ? prepared : (draft ?? ''));
  const change = (next: string) => {
    // The first change overwrites the draft, which stays on offer.
    if (typed === undefined) setEarlier(draft);
    setTyped(next);
    unsent.keep(next);
  };
  return {
    text,
    isPrepared,
    offeredDraft: isPrepared ? (typed === undefined ? draft : earlier) : undefined,
    notKept: text.trim() === '' ? undefined : unsent.notKept,
    change,
    restore: (offered) => {
      change(offered);
      setEarlier(undefined);
    },
    discard: () => unsent.discard(),
  };
}
