import { useEffect, useState } from 'react';
import type { KubeObject } from '../../../kube/object.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { useUnsent } from './unsent.ts';
import { prefetchEditor } from '../editor/use-editor-library.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Spinner } from '../../kit/Spinner.tsx';
import { ViewBody } from '../../kit/ViewBody.tsx';
import { ShownAs } from '../../workspace/use-tool.ts';
import type { EditBase } from './base.ts';
import { EditForm } from './EditForm.tsx';
import { editPlace } from './place.ts';
import { useSource } from './use-source.ts';

interface EditViewProps {
  readonly kind: AnyKind;
  readonly self: ObjectRef;
  /** The live object: tells when there is another version. */
  readonly object: KubeObject;
}

/** Edits one object as YAML: what differs from what it was is sent, after a look at what that will change. */
export function EditView({ kind, self, object }: EditViewProps) {
  const [opened] = useState(self);
  const source = useSource(opened, object.metadata?.resourceVersion);
  const unsent = useUnsent(editPlace(self));
  // Beside the object, not after it.
  useEffect(prefetchEditor, []);
  if (source.data === undefined || unsent.kept === undefined) {
    return (
      <ViewBody isScrolled>
        <ErrorAlert
          error={source.error}
          onRetry={() => void source.refetch()}
          isRetrying={source.isFetching}
        />
        {source.isError ? <ShownAs name="text" /> : <Spinner label="Loading the object…" />}
      </ViewBody>
    );
  }
  return (
    <EditForm
      kind={kind}
      self={opened}
      now={source.data}
      draft={draftOf(unsent.kept)}
      unsent={unsent}
      readNow={async () => {
        const { data, isError } = await source.refetch();
        return isError ? undefined : data;
      }}
    />
  );
}

/** A draft of an edit: the text, and what it began from. */
function draftOf(
  kept: { readonly text: string } | null,
): { readonly base: EditBase; readonly text: string } | undefined {
  if (kept === null) return undefined;
  try {
    const value = JSON.parse(kept.text) as Partial<Record<string, unknown>>;
    const { version, base, text } = value;
    if (typeof version !== 'string' || typeof base !== 'string' || typeof text !== 'string') return undefined;
    return { base: { resourceVersion: version, text: base }, text };
  } catch {
    return undefined;
  }
}
