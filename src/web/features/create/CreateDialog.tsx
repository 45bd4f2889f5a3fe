import { useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Manifest } from '../../../kube/manifest.ts';
import { splitHref } from '../../../registry/path.ts';
import type { CreateRequest } from '../../../registry/commands/services.ts';
import type { Command } from '../../../registry/commands/command.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { useWorkspace } from '../../workspace/port.ts';
import { Issues } from '../editor/Issues.tsx';
import { useFaults } from '../editor/use-faults.ts';
import { useParsed } from '../editor/use-parsed.ts';
import { useSchema } from '../editor/use-schema.ts';
import { YamlEditor } from '../editor/YamlEditor.tsx';
import type { EditorHandle } from '../editor/editor-props.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Note } from '../../kit/Note.tsx';
import { Select } from '../../kit/Select.tsx';
import { Flag, Glyph } from '../../kit/marks.tsx';
import { focusedTab } from '../../workspace/layout.ts';
import { parseSearch } from '../../workspace/search.ts';
import { ApplyPanel } from './ApplyPanel.tsx';
import { ClusterChecks } from './ClusterChecks.tsx';
import { CreateFooter } from './CreateFooter.tsx';
import { DraftNotes } from './DraftNotes.tsx';
import { EditorCard } from './EditorCard.tsx';
import { createTexts, editorHeight } from './messages.ts';
import { Outcomes } from './Outcomes.tsx';
import { ParsedPanel } from './ParsedPanel.tsx';
import { placedIssues } from './refused.ts';
import { TemplatePicker } from './TemplatePicker.tsx';
import { type Applying, useApply } from './use-apply.ts';
import { type DocumentOutcome, useCreate } from './use-create.ts';
import { useCreateText } from './use-create-text.ts';

const placeholder = `apiVersion: v1
kind: ConfigMap
metadata:
  name: example
# Write or paste YAML here, drop files, or apply a template.`;

interface CreateDialogProps {
  readonly request: CreateRequest;
  readonly onClose: () => void;
}

/** Creates resources from YAML that is written, pasted, dropped or begun with a template. */
export function CreateDialog({ request, onClose }: CreateDialogProps) {
  const { registry, services } = useCommands();
  const { queries } = useData();
  const { workspace } = useWorkspace();
  const [namespace] = useState(() => namespaceOf(focusedTab(workspace.state.get().layout).href));
  const clusters = useQuery(queries.clusters);
  const [clusterId, setClusterId] = useState(
    () => request.clusterId ?? String(workspace.state.get().clusterId ?? ''),
  );
  const cluster = clusters.data?.find(({ id }) => String(id) === clusterId);
  const draft = useCreateText(request, namespace);
  const { text } = draft;
  const { parsed, read } = useParsed(text);
  const manifest = parsed?.text === text ? parsed.manifest : undefined;
  const latest = useRef(text);
  useLayoutEffect(() => {
    latest.current = text;
  });
  const finish = () => {
    // A text that was changed while it was sent keeps the dialog open.
    if (latest.current !== text) return;
    draft.discard();
    onClose();
  };
  const creating = useCreate(manifest, finish);
  const applying = useApply(text, finish);
  const change = (next: string) => {
    applying.clear();
    draft.change(next);
  };
  const restore = (kept: string) => {
    applying.clear();
    draft.restore(kept);
  };

  useEffect(() => {
    if (clusters.isError) services.log(createTexts.clustersFailed, clusters.error);
  }, [clusters.isError, clusters.error, services]);

  const documents = parsed?.manifest.type === 'valid' ? parsed.manifest.documents : undefined;
  const left = creating.rest(documents ?? []);
  const isRetry = creating.outcomes.some(({ ok }) => ok) && left.length < (documents ?? []).length;
  const missing =
    cluster === undefined
      ? 'Select a cluster.'
      : text.trim() === ''
        ? 'Write or paste YAML first.'
        : undefined;
  const reason = missing ?? (isRetry && left.length === 0 ? 'Everything here has been created.' : undefined);
  const issues = useCreateIssues(text, manifest, creating.outcomes, applying.results);
  const faults = useFaults(parsed, text, issues);
  const editor = useRef<EditorHandle>(null);
  const schema = useSchema(cluster?.id, parsed);

  return (
    <Dialog
      title={createTexts.title}
      width="editor"
      onClose={onClose}
      isSticky
      footer={
        <CreateFooter
          create={{
            label: isRetry && left.length > 0 ? `Retry ${left.length}` : createTexts.create,
            isBusy: creating.isBusy,
            reason,
            error: creating.error,
            lacking: creating.lacking,
            run: () => {
              if (reason === undefined && cluster !== undefined) creating.submit(cluster.id, read);
            },
          }}
          apply={{
            isChecking: applying.isBusy && applying.results === undefined,
            reason: missing,
            review: () => {
              if (cluster === undefined) return;
              creating.clear();
              applying.review(cluster.id, read);
            },
          }}
          onClose={onClose}
        />
      }
    >
      <div className="flex min-w-0 flex-col gap-3">
        <ErrorAlert
          message={clusters.isError ? createTexts.clustersFailed : undefined}
          onRetry={() => void clusters.refetch()}
          isRetrying={clusters.isFetching}
        />
        <div className="grid grid-cols-[1.3fr_1fr_1fr_auto] items-end gap-2.5 narrow:grid-cols-[1fr_1fr] narrow:*:first:col-span-full">
          <Select
            label="Cluster"
            required
            placeholder={createTexts.selectCluster}
            icon={cluster === undefined ? undefined : <Flag colour={cluster.colour} />}
            isLoading={clusters.isPending}
            value={cluster === undefined ? '' : clusterId}
            options={(clusters.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
            onChange={(id) => {
              // The review was of the cluster before.
              applying.clear();
              setClusterId(id);
            }}
          />
          <TemplatePicker
            clusterId={cluster === undefined ? '' : clusterId}
            namespace={namespace}
            {...(draft.isPrepared ? listedTemplate(registry.commands, request) : noTemplate)}
            onApply={change}
          />
        </div>
        <DraftNotes text={draft} onRestore={restore} />
        <ApplyPanel applying={applying} clusterName={cluster?.name ?? ''} />
        <div className="grid grid-cols-[minmax(0,1fr)_22.5rem] gap-3 narrow:grid-cols-[minmax(0,1fr)]">
          <EditorCard text={text} onFiles={change}>
            <YamlEditor
              text={text}
              onChange={change}
              label="YAML of the resource"
              placeholder={placeholder}
              height={editorHeight}
              faults={faults}
              schema={schema}
              handle={editor}
            />
          </EditorCard>
          <div className="flex min-w-0 flex-col gap-3">
            <ParsedPanel manifest={parsed?.manifest} />
            <ClusterChecks
              clusterId={cluster === undefined ? '' : clusterId}
              clusterName={cluster?.name ?? ''}
              documents={documents}
            />
          </div>
        </div>
        {issues.length > 0 && (
          <Note tone="bad" role="region" aria-label="Fields that the cluster refused">
            <Glyph tone="bad" size={13} />
            <Issues issues={issues} onGo={({ line, column }) => editor.current?.goTo(line, column)} />
          </Note>
        )}
        <Outcomes outcomes={creating.outcomes} />
      </div>
    </Dialog>
  );
}

/** The fields that the cluster refused, of documents that were created and of those that were applied. */
function useCreateIssues(
  text: string,
  manifest: Manifest | undefined,
  outcomes: readonly DocumentOutcome[],
  results: Applying['results'],
) {
  return useMemo(() => {
    const documents = manifest?.type === 'valid' ? manifest.documents : [];
    const applied = (results ?? []).map(({ index, fields = [] }) => ({
      source: documents[index]?.source ?? '',
      fields,
    }));
    return placedIssues(text, documents, [...outcomes, ...applied]);
  }, [text, manifest, outcomes, results]);
}

/** The namespace that shows behind the dialog: templates create there. */
function namespaceOf(href: string): string | undefined {
  const { pathname, search } = splitHref(href);
  const inPath = /^\/clusters\/\d+\/namespaces\/([^/]+)/.exec(pathname)?.[1];
  return parseSearch(search).ns ?? inPath;
}

/** A template as the picker lists it. */
interface ListedTemplate {
  readonly resource: string;
  readonly variant: string;
}

const noTemplate: ListedTemplate = { resource: '', variant: '' };

/** The template that a request asks for, whatever the case of its letters. */
function listedTemplate(
  commands: readonly Command[],
  { resource = '', variant = '' }: CreateRequest,
): ListedTemplate {
  const found = commands.find(
    (one) =>
      one.type === 'template' &&
      one.resource.toLowerCase() === resource.toLowerCase() &&
      one.variant.toLowerCase() === variant.toLowerCase(),
  );
  return found?.type === 'template' ? found : noTemplate;
}
