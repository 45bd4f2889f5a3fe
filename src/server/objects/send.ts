import { type KubeChange, patchTypes } from '../../kube/change.ts';
import type { Transport } from '../clusters/transport.ts';
import { requireUnmasked, withoutValues } from './secret-guard.ts';

/** Under which name the console's writes stand in an object's managed fields. */
export const fieldManager = 'wheelhouse';

/**
 * Sends one change. It is not ended with the caller: what was begun is seen through. Throws ClusterProblem, and Problem
 * 422 for a masked value of a Secret.
 * @param dryRun the cluster checks everything and stores nothing
 * @param fieldValidation `Strict` for what people wrote: a field that the cluster does not know is refused, not dropped
 */
export async function sendChange(
  transport: Transport,
  change: KubeChange,
  dryRun: boolean,
  fieldValidation?: 'Strict',
): Promise<unknown> {
  const { method, path, contentType, body } = change;
  const all = dryRun ? 'All' : undefined;
  requireUnmasked(change);
  try {
    return await transport.json<unknown>({
      method,
      path,
      query: method === 'DELETE' ? { dryRun: all } : { fieldManager, fieldValidation, dryRun: all },
      ...(contentType === undefined ? {} : { contentType }),
      ...(body === undefined ? {} : { body: dryRun ? dryBody(body) : body }),
    });
  } catch (error) {
    throw withoutValues(error, change);
  }
}

/** Options in a body override those of the query: then the dry run has to be in the body as well. */
function dryBody(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('kind' in body)) return body;
  if (body.kind === 'DeleteOptions') return { ...body, dryRun: ['All'] };
  if (body.kind === 'Eviction') {
    const options = 'deleteOptions' in body ? (body.deleteOptions as object) : {};
    return { ...body, deleteOptions: { ...options, dryRun: ['All'] } };
  }
  return body;
}

/**
 * Sends a server-side apply, as `sendChange` does.
 * @param options `force` takes conflicting fields from whoever owns them
 */
export async function sendApply(
  transport: Transport,
  { path, body }: Pick<KubeChange, 'path' | 'body'>,
  { dryRun, force }: { readonly dryRun: boolean; readonly force: boolean },
): Promise<unknown> {
  return await transport.json<unknown>({
    method: 'PATCH',
    path,
    query: { fieldManager, force, dryRun: dryRun ? 'All' : undefined },
    // JSON is YAML.
    contentType: patchTypes.apply,
    body,
  });
}
