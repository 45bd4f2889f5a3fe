import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ResponseOf } from '../../../contract/endpoint.ts';
import type { editEndpoints } from '../../../contract/edit.ts';
import { Problem } from '../../../contract/problem.ts';
import { placesOfFields } from '../../../kube/field-place.ts';
import type { JsonChange } from '../../../kube/json-diff.ts';
import type { ObjectRef } from '../../../registry/command.ts';
import type { AnyKind } from '../../../registry/kind.ts';
import { sentenceOf } from '../../../registry/execute.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { useSignIn } from '../../data/sign-in.ts';
import type { Unsent } from './unsent.ts';
import { useFaults } from '../editor/use-faults.ts';
import { useParsed } from '../editor/use-parsed.ts';
import { useSchema } from '../editor/use-schema.ts';
import { type EditorHandle, YamlEditor } from '../editor/YamlEditor.tsx';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Note } from '../../kit/Note.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { ShownAs } from '../../workspace/use-tool.ts';
import { useHeld } from '../../workspace/use-held.ts';
import { changesOf, type EditBase, meanwhileOf, merged, onlyValue } from './base.ts';
import { Issues } from '../editor/Issues.tsx';
import { Meanwhile } from './Meanwhile.tsx';
import { Review } from './Review.tsx';
import { sentAnew } from './sent-anew.ts';
import { unsure } from './unsure.ts';
import { useOpenText } from './use-open-text.ts';

/** What the cluster says to changes before they are made. */
export interface Tried {
  readonly changes: readonly JsonChange[];
  readonly base: EditBase;
  readonly answer: ResponseOf<(typeof editEndpoints)['editObject']>;
}

interface EditFormProps {
  readonly kind: AnyKind;
  readonly self: ObjectRef;
  /** The object as the cluster has it now. */
  readonly now: EditBase;
  readonly draft: { readonly base: EditBase; readonly text: string } | undefined;
  readonly unsent: Unsent;
  /** Reads the object as it is at this moment; undefined where it cannot be read. */
  readonly readNow: () => Promise<EditBase | undefined>;
}

/** How often the same changes are sent anew to an object whose status changes all the time. */
const mostTries = 5;

/** The editor of one object. What is typed is touched by nobody but the person. */
export function EditForm({ kind, self, now, draft, unsent, readNow }: EditFormProps) {
  const { services } = useCommands();
  const { api, queries } = useData();
  const { lapse } = useSignIn();
  const isSecret = kind.masked === true;
  const cluster = useQuery(queries.clusters).data?.find(({ id }) => String(id) === self.cluster);
  const [begun, setBegun] = useState<EditBase>(draft?.base ?? now);
  // Versions that differ in nothing people write (a status, a heartbeat) are the same to begin from.
  // The texts of a Secret do not tell that a value changed: there each version is another one.
  const isSame = ({ text: one }: EditBase, other: EditBase) => one === other.text && !isSecret;
  const base = begun.resourceVersion === now.resourceVersion || isSame(begun, now) ? now : begun;
  const [text, setText] = useState(draft?.text ?? base.text);
  const [tried, setTried] = useState<Tried | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const { parsed, read } = useParsed(text);
  const isChanged = text !== base.text;
  useHeld(isChanged ? 'changes that are not saved' : undefined);
  // What is typed into a Secret lasts as long as its view, and over a call that was refused.
  const { forgetHere } = unsent;
  useEffect(() => {
    if (!isSecret) return undefined;
    return () => {
      if (lapse.get() === undefined) forgetHere();
    };
  }, [isSecret, forgetHere, lapse]);

  const keep = (next: string, from: EditBase) => {
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
  const send = async (dryRun: boolean, confirm?: string) => {
    const manifest = await read();
    if (manifest.type === 'invalid')
      throw new Error('Invalid YAML. Please fix the errors before submitting.');
    const changes = changesOf(base, onlyValue(manifest));
    if (changes.length === 0)
      throw new Error(
        'Only comments or formatting differ, which the cluster does not store: there is nothing to save.',
      );
    const sent = (from: EditBase) =>
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
    const answer = await sentAnew(sent, { base, isSame, readNow, mostTries });
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
  const review = () => run(async () => setTried(await send(true)));
  const save = (confirm: string | undefined) =>
    run(async () => {
      await send(false, confirm).catch((reason: unknown) => {
        throw unsure(reason);
      });
      const place = self.namespace === undefined ? '' : `${self.namespace} · `;
      services.toast.success(`${kind.kind} ${self.name} saved`, { detail: `${place}${cluster?.name ?? ''}` });
      setTried(undefined);
      unsent.discard();
      // The tab begins anew from what was saved: it holds nothing any more that could be lost or told from it.
      const saved = (await readNow()) ?? base;
      setBegun(saved);
      setText(saved.text);
      services.objects.open(self, 'here', 'yaml');
    });

  const value = parsed?.text === text && parsed.manifest.type === 'valid' ? parsed.manifest : undefined;
  const buffer = value?.documents[0]?.value;
  const meanwhile = base === now ? undefined : meanwhileOf(base, now, buffer);
  const fault = parsed?.text === text && parsed.manifest.type === 'invalid' ? parsed.manifest : undefined;
  const issues = useMemo(() => {
    const refused = failure instanceof Problem ? failure.issues : [];
    const places = placesOfFields(
      text,
      refused.map(({ path }) => path),
    );
    return refused.map((issue, index) => ({ ...issue, place: places[index] }));
  }, [failure, text]);
  const faults = useFaults(parsed, text, issues);
  const editor = useRef<EditorHandle>(null);
  const { isOpen, onReady } = useOpenText(editor);
  const schema = useSchema(Number(self.cluster), parsed);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col gap-2 overflow-auto p-2">
      {meanwhile !== undefined && (
        <Meanwhile
          name={`${kind.kind} ${self.name}`}
          meanwhile={meanwhile}
          base={base.text}
          theirs={now.text}
          mine={text}
          canMerge={buffer !== undefined}
          onMerge={() => run(async () => rebase(merged(base, now, text, onlyValue(await read()))))}
          onLoad={() => rebase(now.text)}
        />
      )}
      {isSecret && (
        <Note tone="info">
          <Glyph tone="info" size={13} />
          <span className="min-w-0 flex-1">
            Values are masked and stay as they are unless you write others: in base64 under data, or as text
            under stringData. This text is not kept as a draft.
          </span>
        </Note>
      )}
      {fault !== undefined && <ErrorAlert message={`Error: ${fault.message}`} />}
      <ErrorAlert message={failure === undefined ? undefined : sentenceOf(failure)}>
        {issues.length > 0 && (
          <Issues issues={issues} onGo={({ line, column }) => editor.current?.goTo(line, column)} />
        )}
      </ErrorAlert>
      {isOpen && <ShownAs name="text" />}
      <div
        className="min-h-48 flex-[1_1_16rem] overflow-hidden rounded-sm border border-border"
        data-part="edit-text"
      >
        <YamlEditor
          text={text}
          onChange={(next) => keep(next, base)}
          label={`YAML of ${self.name}`}
          faults={faults}
          schema={schema}
          handle={editor}
          onReady={onReady}
        />
      </div>
      {tried !== undefined && (
        <Review
          tried={tried}
          cluster={cluster}
          isBusy={isBusy}
          onSave={save}
          onBack={() => setTried(undefined)}
        />
      )}
      {tried === undefined && (
        <div className="flex min-w-0 flex-none items-center gap-2">
          <span className="min-w-0 flex-1 text-text-2" role="status">
            {isChanged ? 'Not saved yet.' : 'No changes yet.'}
            {isChanged && unsent.notKept !== undefined && ` ${unsent.notKept}`}
          </span>
          {isChanged && (
            <Button variant="secondary" onClick={() => rebase(now.text)}>
              Discard changes
            </Button>
          )}
          <Button
            onClick={review}
            isLoading={isBusy}
            loadingText="Checking..."
            reason={isChanged ? undefined : 'Nothing is changed yet.'}
          >
            Review changes
          </Button>
        </div>
      )}
    </div>
  );
}
