import { useQuery } from '@tanstack/react-query';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { sentenceOf } from '../../../registry/commands/execute.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { unsentKey } from '../edit/draft-query.ts';
import { baseOf } from '../edit/base.ts';
import { editPlace } from '../edit/place.ts';
import { copiedText } from './copy.ts';
import type { Part } from './hunks.ts';

/** A difference, and the side that gets the other's value. */
export interface Copying {
  readonly ref: ObjectRef;
  /** That side as it was compared. */
  readonly text: string;
  readonly part: Part;
  readonly to: 'left' | 'right';
}

/** Opens an edit of one side with the other's value filled in. Nothing is applied, and no text of theirs is lost. */
export function useCopy(): (copying: Copying) => Promise<void> {
  const { services } = useCommands();
  const { api, queryClient, queries } = useData();
  const userId = useQuery(queries.session).data?.id ?? 0;
  return async ({ ref, text, part, to }) => {
    try {
      const key = unsentKey(userId, editPlace(ref));
      const here = queryClient.getQueryData(key);
      const place = editPlace(ref);
      const kept = here === undefined ? (await api.draft({ params: { place } })).draft : here;
      if (kept !== null) {
        services.objects.open(ref, 'split-right', 'edit');
        services.toast.warning(`${ref.name} has an edit that is not saved yet.`, {
          detail: 'It was opened. Save or discard it, then copy again.',
        });
        return;
      }
      const { resourceVersion, object } = await api.editSource({
        params: { clusterId: Number(ref.cluster), kind: ref.kind, name: ref.name },
        query: ref.namespace === undefined ? {} : { namespace: ref.namespace },
      });
      const base = baseOf(resourceVersion, object);
      queryClient.setQueryData(key, {
        text: JSON.stringify({
          version: base.resourceVersion,
          base: base.text,
          text: copiedText(object, text, part, to),
        }),
        base: null,
      });
      services.objects.open(ref, 'split-right', 'edit');
    } catch (error) {
      services.toast.error(sentenceOf(error), { duration: Number.POSITIVE_INFINITY });
    }
  };
}
