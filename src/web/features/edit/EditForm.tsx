import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { Problem } from '../../../contract/problem.ts';
import { placesOfFields } from '../../../kube/field-place.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { Note } from '../../kit/Note.tsx';
import { useWorkspace } from '../../workspace/port.ts';
import { ShownAs } from '../../workspace/use-tool.ts';
import { Issues } from '../editor/Issues.tsx';
import { useFaults } from '../editor/use-faults.ts';
import { useSchema } from '../editor/use-schema.ts';
import { YamlEditor } from '../editor/YamlEditor.tsx';
import type { EditorHandle } from '../editor/editor-props.ts';
import { meanwhileOf } from './base.ts';
import { Meanwhile } from './Meanwhile.tsx';
import { Review } from './Review.tsx';
import { type EditingParts, useEditing } from './use-editing.ts';
import { useOpenText } from './use-open-text.ts';

type EditFormProps = Omit<EditingParts, 'clusterName'>;

/** The editor of one object. */
export function EditForm(props: EditFormProps) {
  const { kind, self, now, unsent } = props;
  const { queries } = useData();
  const cluster = useQuery(queries.clusters).data?.find(({ id }) => String(id) === self.cluster);
  const editing = useEditing({ ...props, clusterName: cluster?.name ?? '' });
  const { base, text, parsed, tried, failure, isBusy } = editing;
  const isReady = tried === undefined && editing.isChanged && !isBusy;
  const manifest = parsed?.text === text ? parsed.manifest : undefined;
  const buffer = manifest?.type === 'valid' ? manifest.documents[0]?.value : undefined;
  const meanwhile = base === now ? undefined : meanwhileOf(base, now, buffer);
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
  const { workspace } = useWorkspace();
  const toObject = () => void workspace.leave();
  const leave = tried !== undefined ? editing.back : editing.isChanged ? undefined : toObject;
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
          onMerge={editing.merge}
          onLoad={editing.load}
        />
      )}
      {kind.masked === true && (
        <Note tone="info">
          <Glyph tone="info" size={13} />
          <span className="min-w-0 flex-1">
            Values are masked and stay as they are unless you write others: in base64 under data, or as text
            under stringData. This text is not kept as a draft.
          </span>
        </Note>
      )}
      {manifest?.type === 'invalid' && <ErrorAlert message={`Error: ${manifest.message}`} />}
      <ErrorAlert error={failure}>
        {issues.length > 0 && (
          <Issues issues={issues} onGo={({ line, column }) => editor.current?.goTo(line, column)} />
        )}
      </ErrorAlert>
      {isOpen && (
        <ShownAs
          name="text"
          save={isReady ? editing.review : undefined}
          leave={leave}
          enter={() => editor.current?.type('')}
        />
      )}
      <div
        className="min-h-48 flex-[1_1_16rem] overflow-hidden rounded-sm border border-border"
        data-part="edit-text"
      >
        <YamlEditor
          text={text}
          onChange={editing.type}
          label={`YAML of ${self.name}`}
          faults={faults}
          schema={schema}
          handle={editor}
          onReady={onReady}
          onLeave={() => leave?.()}
        />
      </div>
      {tried === undefined ? (
        <EditFooter editing={editing} notKept={unsent.notKept} />
      ) : (
        <Review
          self={self}
          tried={tried}
          cluster={cluster}
          isBusy={isBusy}
          onSave={editing.save}
          onBack={editing.back}
        />
      )}
    </div>
  );
}

interface EditFooterProps {
  readonly editing: ReturnType<typeof useEditing>;
  /** Why no draft is kept of what is typed, if none is. */
  readonly notKept: string | undefined;
}

/** Says whether something is changed, and leads to its review. */
function EditFooter({ editing, notKept }: EditFooterProps) {
  const { isChanged, isBusy } = editing;
  return (
    <div className="flex min-w-0 flex-none items-center gap-2">
      <span className="min-w-0 flex-1 text-text-2" role="status">
        {isChanged ? 'Not saved yet.' : 'No changes yet.'}
        {isChanged && notKept !== undefined && ` ${notKept}`}
      </span>
      {isChanged && (
        <Button variant="secondary" onClick={editing.load}>
          Discard changes
        </Button>
      )}
      <Button
        onClick={editing.review}
        isLoading={isBusy}
        loadingText="Checking..."
        reason={isChanged ? undefined : 'Nothing is changed yet.'}
      >
        Review changes
      </Button>
    </div>
  );
}
