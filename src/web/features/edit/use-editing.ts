import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ResponseOf } from '../../../contract/endpoint.ts';
import type { editEndpoints } from '../../../contract/edit.ts';
import type { JsonChange } from '../../../kube/json-diff.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { useCommands } from '../../core/commands.ts';
import { objectPath } from '../../data/object-path.ts';
import { useData } from '../../data/port.ts';
import { useSignIn } from '../../data/sign-in.ts';
import { useWorkspace } from '../../workspace/port.ts';
import { useHeld } from '../../workspace/use-held.ts';
import { useView } from '../../workspace/view.ts';
import { useActing } from '../actions/port.ts';
import { useParsed } from '../editor/use-parsed.ts';
import { afterSave, changesOf, type EditBase, merged, onlyValue } from './base.ts';
import { sentAnew } from './sent-anew.ts';
import type { Unsent } from './unsent.ts';
import { unsure } from './unsure.ts';

/** The edited object, and where its unsaved text is kept. */
export interface EditingParts {
  readonly kind: AnyKind;
  readonly self: ObjectRef;
  /** The object as the cluster has it now. */
  readonly now: EditBase;
  readonly draft: { readonly base: EditBase; readonly text: string } | undefined;
  readonly unsent: Unsent;
  /** Reads the object as it is at this moment; undefined where it cannot be read. */
  readonly readNow: () => Promise<EditBase | undefined>;
  /** Name of the object's cluster; empty while it is not known. */
  readonly clusterName: string;
}

/** The answer of the cluster to changes that were sent as a dry run. */
export interface DryRunAnswer {
  readonly changes: readonly JsonChange[];
  readonly base: EditBase;
  readonly answer: ResponseOf<(typeof editEndpoints)['editObject']>;
}

/** How often the same changes are sent to an object whose status changes all the time, at most. */
const maxTries = 5;

/**
 * The text of one object while somebody edits it: what it began from, the dry run of its changes, and saving them. Only
 * the person changes the text.
 */
export function useEditing({ kind, self, now, draft, unsent, readNow, clusterName }: EditingParts) {
  const { services } = useCommands();
  const { api } = useData();
  const { done } = useActing();
  const { workspace } = useWorkspace();
  const { tab } = useView();
  const isSecret = kind.masked === true;
  const [begun, setBegun] = useState<EditBase>(draft?.base ?? now);
  // Versions that differ only in what nobody writes (a status, a heartbeat) are the same base. The masked text of a
  // Secret does not show that a value changed, so there each version is a base of its own.
  const isSame = ({ text: one }: EditBase, other: EditBase) => one === other.text && !isSecret;
  const base = begun.resourceVersion === now.resourceVersion || isSame(begun, now) ? now : begun;
  const [text, setText] = useState(draft?.text ?? base.text);
  // A save ends later than it begins, and the person may have typed on.
  const latest = useRef(text);
  const [tried, setTried] = useState<DryRunAnswer | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const { parsed, read } = useParsed(text);
  const isChanged = text !== base.text;
  useHeld(isChanged ? 'changes that are not saved' : undefined);
  useForgottenSecret(isSecret, unsent);

  const keep = (next: string, from: EditBase) => {
    latest.current = next;
    setText(next);
    setTried(undefined);
    setFailure(undefined);
    const edit = JSON.stringify({ version: from.resourceVersion, base: from.text, text: next });
    if (next === from.text) unsent.discard();
    else if (isSecret) unsent.keepHere(edit);
    else unsent.keep(edit);
  };
  const rebase = (next: string) => {
    setBegun(now);
    keep(next, now);
  };
  const send = async (dryRun: boolean, confirm?: string): Promise<DryRunAnswer> => {
    const manifest = await read();
    if (manifest.type === 'invalid')
      throw new Error('Invalid YAML. Please fix the errors before submitting.');
    const changes = changesOf(base, onlyValue(manifest));
    if (changes.length === 0)
      throw new Error(
        'Only comments or formatting differ, which the cluster does not store: there is nothing to save.',
      );
    const sendFrom = (from: EditBase) =>
      api.editObject({
        params: { clusterId: Number(self.cluster), kind: self.kind, name: self.name },
        query: self.namespace === undefined ? {} : { namespace: self.namespace },
        body: {
          resourceVersion: from.resourceVersion,
          changes: changes as never,
          dryRun,
          ...(confirm === undefined ? {} : { confirm }),
        },
      });
    const answer = await sentAnew(sendFrom, { base, isSame, readNow, maxTries });
    return { changes, base, answer };
  };
  const run = (work: () => Promise<void>) => {
    if (isBusy) return;
    setBusy(true);
    setFailure(undefined);
    work()
      .catch((reason: unknown) => setFailure(reason))
      .finally(() => setBusy(false));
  };
  const save = async (confirm: string | undefined) => {
    const place = workspace.hrefOf(tab);
    await send(false, confirm).catch((reason: unknown) => {
      throw unsure(reason);
    });
    const where = self.namespace === undefined ? '' : `${self.namespace} · `;
    services.toast.success(`${kind.kind} ${self.name} saved`, { detail: `${where}${clusterName}` });
    const { cluster, ...ref } = self;
    done.set({ cluster, rollsOut: kind.logs === 'pods', outcomes: [{ ref, ok: true }] });
    if (latest.current === text) unsent.discard();
    const saved = (await readNow()) ?? base;
    const next = afterSave(base, text, saved, latest.current);
    const isOver = next.text === next.base.text;
    // Drawn before the tab turns to the YAML: until then it counts as unsaved, and would ask whether to leave.
    flushSync(() => {
      setBegun(next.base);
      keep(next.text, next.base);
    });
    // Somebody who typed on stays with their text, and somebody who went on elsewhere stays there.
    const path = objectPath(self, 'yaml');
    // In the place of the edit, so that Esc and the way back do not lead into it again.
    if (isOver && path !== undefined && workspace.hrefOf(tab) === place)
      workspace.setHref(tab, path, 'replace');
  };

  return {
    base,
    text,
    parsed,
    tried,
    /** Why the last try failed; undefined when it did not. */
    failure,
    isBusy,
    isChanged,
    type: (next: string) => keep(next, base),
    /** Takes the object as it is now, and drops what was typed. */
    load: () => rebase(now.text),
    /** Puts what was typed on top of the object as it is now. */
    merge: () => run(async () => rebase(merged(base, now, text, onlyValue(await read())))),
    /** Sends the changes as a dry run and shows its answer. */
    review: () =>
      run(async () => {
        const reviewed = latest.current;
        const answer = await send(true);
        // Not of what was typed since: nobody has seen what that would change.
        if (latest.current === reviewed) setTried(answer);
      }),
    /** Goes from the review back to the text. */
    back: () => setTried(undefined),
    save: (confirm: string | undefined) => run(() => save(confirm)),
  };
}

/** Forgets what was typed into a Secret when its view closes, unless it closes because the session lapsed. */
function useForgottenSecret(isSecret: boolean, { forgetHere }: Unsent): void {
  const { lapse } = useSignIn();
  useEffect(() => {
    if (!isSecret) return undefined;
    return () => {
      if (lapse.get() === undefined) forgetHere();
    };
  }, [isSecret, forgetHere, lapse]);
}
