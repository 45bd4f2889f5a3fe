import type { FieldIssue } from '../../contract/manifests.ts';
import { cleanText } from '../../kube/text.ts';
import { ClusterProblem } from '../clusters/transport.ts';
import { isPlain } from './read.ts';

/** Maximum number of fields reported of one refusal. */
const maxFields = 50;
const maxPathLength = 500;

/**
 * Fields that a cluster refused, by their paths: those of its causes, else the unknown fields named in its message.
 * Empty for any other failure.
 * @param withoutSecrets gives a message as it may be shown: without values of a Secret
 */
export function refusedFields(
  error: unknown,
  withoutSecrets: (message: string) => string = (message) => message,
): readonly FieldIssue[] {
  if (!(error instanceof ClusterProblem)) return [];
  const causes = error.upstream.body?.details?.causes;
  const named = (Array.isArray(causes) ? causes : []).slice(0, maxFields).flatMap((cause: unknown) => {
    if (!isPlain(cause) || typeof cause['field'] !== 'string' || cause['field'] === '') return [];
    if (cause['reason'] === 'FieldManagerConflict') return [];
    const message = typeof cause['message'] === 'string' ? cause['message'] : 'is not accepted';
    return [issue(cause['field'], withoutSecrets(cleanText(message).slice(0, 1_000)))];
  });
  if (named.length > 0) return named;
  return [...error.title.matchAll(unknownField)]
    .slice(0, maxFields)
    .map(([, quoted, typed]) => issue(quoted ?? typed ?? '', 'is no field that the cluster knows.'));
}

/** As strict decoding writes it, and as server-side apply does. */
const unknownField =
  /unknown field "([^"\n]{1,500})"|(?<=[\s:]\.)([^\s:]{1,500}): field not declared in schema/g;

const issue = (path: string, message: string): FieldIssue => ({
  path: cleanText(path).slice(0, maxPathLength),
  message,
});
