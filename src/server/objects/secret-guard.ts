import { Problem } from '../../contract/problem.ts';
import type { KubeChange } from '../../kube/change.ts';
import { isMasked } from '../../kube/masked.ts';
import { ClusterProblem } from '../clusters/transport.ts';
import { isPlain } from './read.ts';

const secretsPath = /^\/api\/v1\/(?:namespaces\/[^/]+\/)?secrets(?:\/|$)/;

/** Whether a change is sent to the Secrets of a cluster. */
const isOfSecrets = ({ path }: KubeChange): boolean => secretsPath.test(path);

/** Where in a value the first masked text stands, by keys; undefined without one. */
function maskedIn(value: unknown, place: readonly string[] = []): readonly string[] | undefined {
  if (isMasked(value)) return place;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, one] of Object.entries(value)) {
    const found = maskedIn(one, [...place, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Throws Problem 422 for a change that would save what stands in the place of a value that was not shown: the value
 * itself would be lost.
 */
export function requireUnmasked(change: KubeChange): void {
  if (!isOfSecrets(change)) return;
  const place = maskedIn(change.body);
  if (place === undefined) return;
  throw new Problem({
    status: 422,
    title: `The value of “${place.at(-1) ?? 'a key'}” is masked: saving it would overwrite the real value. Reveal it first, or leave it out of the change. Nothing was changed.`,
  });
}

/** Older API servers quote what they could not read. */
const quotes = /found in #\d+ byte|bigger context/i;
/** Shorter values are words like any other. */
const minSecretLength = 4;

/** A cluster's refusal of a Secret without any of the values that were sent. Any other failure as it is. */
export function withoutValues(error: unknown, change: KubeChange): unknown {
  if (!(error instanceof ClusterProblem) || !isOfSecrets(change)) return error;
  const said = `${error.title}\n${error.detail ?? ''}`;
  const sent = textsIn(change.body).filter((text) => text.length >= minSecretLength);
  if (!quotes.test(said) && !sent.some((text) => said.includes(text))) return error;
  return new ClusterProblem(
    {
      status: error.status,
      title:
        'The cluster refused the Secret. Its message is omitted because it quotes what was sent: check that every value under “data” is base64, and that the type has the keys it needs.',
      retryable: false,
      where: error.where,
    },
    { status: error.upstream.status, reason: error.upstream.reason },
  );
}

/** The values in the body of a change: what was given as `data` or `stringData`, as it is and as it is meant. */
function textsIn(body: unknown): string[] {
  if (Array.isArray(body)) {
    return body.flatMap((one) =>
      isPlain(one) && typeof one['value'] === 'string' ? plainAndDecoded(one['value']) : [],
    );
  }
  if (!isPlain(body)) return [];
  return [body['data'], body['stringData']].flatMap((part) =>
    isPlain(part)
      ? Object.values(part).flatMap((value) => (typeof value === 'string' ? plainAndDecoded(value) : []))
      : [],
  );
}

const plainAndDecoded = (text: string): string[] => [text, Buffer.from(text, 'base64').toString('utf8')];
