import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { renderTemplate } from '../../../../commands/templates/render.ts';
import { splitHref } from '../../../registry/path.ts';
import type { CreateRequest } from '../../../registry/services.ts';
import type { Command } from '../../../registry/command.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { useWorkspace } from '../../workspace/port.ts';
import { Issues } from '../editor/Issues.tsx';
import { useFaults } from '../editor/use-faults.ts';
import { useParsed } from '../editor/use-parsed.ts';
import { useSchema } from '../editor/use-schema.ts';
import { type EditorHandle, YamlEditor } from '../editor/YamlEditor.tsx';
import { Keys } from '../../keyboard/Keys.tsx';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Note } from '../../kit/Note.tsx';
import { Select } from '../../kit/Select.tsx';
import { Flag, Glyph } from '../../kit/marks.tsx';
import { focusedTab } from '../../workspace/layout.ts';
import { parseSearch } from '../../workspace/search.ts';
import { ApplyPanel } from './ApplyPanel.tsx';
import { ClusterChecks } from './ClusterChecks.tsx';
import { EditorCard } from './EditorCard.tsx';
import { createTexts, editorHeight } from './messages.ts';
import { Outcomes } from './Outcomes.tsx';
import { ParsedPanel } from './ParsedPanel.tsx';
import { placedIssues } from './refused.ts';
import { TemplatePicker } from './TemplatePicker.tsx';
import { useApply } from './use-apply.ts';
import { useCreate } from './use-create.ts';
import { useUnsent } from '../edit/unsent.ts';

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
  const [place] = useState(() => placeOf(focusedTab(workspace.state.get().layout).href));
  const clusters = useQuery(queries.clusters);
  const [clusterId, setClusterId] = useState(
    () => request.clusterId ?? String(workspace.state.get().clusterId ?? ''),
  );
  const cluster = clusters.data?.find(({ id }) => String(id) === clusterId);
  const asked = { resource: request.resource ?? '', variant: request.variant ?? '' };
  const [first] = useState(() =>
    renderTemplate(asked.resource, asked.variant, { namespace: place.namespace }),
  );
  const unsent = useUnsent('create');
  // What was not yet created comes back, unless something else is wanted: then it is offered.
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const [earlier, setEarlier] = useState<string | undefined>(undefined);
  const keptText = unsent.kept?.text;
  const text = typed ?? (first === '' ? (keptText ?? '') : first);
  const offered = first === '' ? undefined : typed === undefined ? keptText : earlier;
  const { parsed, read } = useParsed(text);

  const manifest = parsed?.text === text ? parsed.manifest : undefined;
  const creating = useCreate(manifest, () => {
    unsent.discard();
    onClose();
  });

  const applying = useApply(text, () => {
    unsent.discard();
    onClose();
  });
  const change = (next: string) => {
    applying.clear();
    if (typed === undefined) setEarlier(keptText);
    setTyped(next);
    unsent.keep(next);
  };

  useEffect(() => {
    if (clusters.isError) services.log(createTexts.clustersFailed, clusters.error);
  }, [clusters.isError, clusters.error, services]);

  const documents = parsed?.manifest.type === 'valid' ? parsed.manifest.documents : [];
  const left = creating.rest(documents);
  const isRetry = creating.outcomes.some(({ ok }) => ok) && left.length < documents.length;
  const blocked =
    cluster === undefined
      ? 'Select a cluster.'
      : text.trim() === ''
        ? 'Write or paste YAML first.'
        : isRetry && left.length === 0
          ? 'Everything here is created.'
          : undefined;
  const submit = () => {
    if (blocked === undefined && cluster !== undefined) creating.submit(cluster.id, read);
  };
  const { outcomes } = creating;
  const { results } = applying;
  const issues = useMemo(() => {
    const known = manifest?.type === 'valid' ? manifest.documents : [];
    const applied = (results ?? []).map(({ index, fields = [] }) => ({
      source: known[index]?.source ?? '',
      fields,
    }));
    return placedIssues(text, known, [...outcomes, ...applied]);
  }, [text, manifest, outcomes, results]);
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
        <>
          {creating.error === undefined ? (
            <span className="inline-flex items-center gap-1 whitespace-nowrap text-text-2 narrow:hidden">
              <Keys keys="mod+enter" /> create
            </span>
          ) : (
            <span
              className="flex max-h-[30vh] items-baseline gap-1.5 overflow-auto py-1.5 wrap-anywhere text-bad-fg narrow:max-h-[20vh] narrow:flex-[1_0_100%]"
              role="alert"
            >
              <Glyph tone="bad" size={12} />
              <span>{creating.error}</span>
            </span>
          )}
          <span className="min-w-0 flex-1" />
          <Button variant="secondary" onClick={onClose}>
            {createTexts.cancel}
          </Button>
          <Button
            variant="secondary"
            isLoading={applying.isBusy && applying.results === undefined}
            loadingText="Checking..."
            title="Changes what exists and creates what does not, by server-side apply. Shows first what that will do."
            reason={cluster === undefined || text.trim() === '' ? blocked : undefined}
            onClick={() => {
              if (cluster === undefined) return;
              creating.clear();
              applying.review(cluster.id, read);
            }}
          >
            Create or update…
          </Button>
          <Button
            acts
            isLoading={creating.isBusy}
            loadingText={createTexts.creating}
            reason={blocked}
            onClick={submit}
          >
            {isRetry && left.length > 0 ? `Retry ${left.length}` : createTexts.create}
          </Button>
        </>
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
            onChange={setClusterId}
          />
          <TemplatePicker
            clusterId={cluster === undefined ? '' : clusterId}
            namespace={place.namespace}
            {...(first === '' ? { resource: '', variant: '' } : canonical(registry.commands, asked))}
            onApply={change}
          />
        </div>
        {unsent.notKept !== undefined && text.trim() !== '' && (
          <Note tone="info" role="status">
            <Glyph tone="info" size={13} />
            <span className="min-w-0 flex-1">{unsent.notKept}</span>
          </Note>
        )}
        {offered !== undefined && (
          <Note tone="info" role="status">
            <Glyph tone="info" size={13} />
            <span className="min-w-0 flex-1">You have a draft that was not created yet.</span>
            <Button
              size="sm"
              variant="secondary"
              onClick={() => {
                change(offered);
                setEarlier(undefined);
              }}
            >
              Restore the draft
            </Button>
          </Note>
        )}
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
              documents={parsed?.manifest.type === 'valid' ? documents : undefined}
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

/** The namespace that shows behind the dialog: templates begin there. */
function placeOf(href: string): { readonly namespace: string | undefined } {
  const { pathname, search } = splitHref(href);
  const inPath = /^\/clusters\/\d+\/namespaces\/([^/]+)/.exec(pathname)?.[1];
  return { namespace: parseSearch(search).ns ?? inPath };
}

/** A template's kind and name as they are listed. */
function canonical(
  commands: readonly Command[],
  asked: { readonly resource: string; readonly variant: string },
): { readonly resource: string; readonly variant: string } {
  const found = commands.find(
    (one) =>
      one.type === 'template' &&
      one.resource.toLowerCase() === asked.resource.toLowerCase() &&
      one.variant.toLowerCase() === asked.variant.toLowerCase(),
  );
  return found?.type === 'template' ? found : { resource: '', variant: '' };
}
