import { Problem } from '../../contract/problem.ts';
import type { LiveCredential } from './credentials.ts';
import type { Target } from './target.ts';
import type { KubeRequest } from './transport.ts';

/**
 * The path to send: the server's prefix, the request's path, its query. Paths are not normalised later, so a path that
 * could climb out of its place is refused here.
 * @throws Problem 400
 */
export function requestPath(server: string, request: KubeRequest): string {
  const { path } = request;
  if (
    !path.startsWith('/') ||
    /[^\x21-\x7e]|[?#\\]|%2f|%5c|%[01][0-9a-f]/i.test(path) ||
    path.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment))
  ) {
    throw new Problem({ status: 400, title: 'This is not a valid Kubernetes name.' });
  }
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) query.set(key, String(value));
  }
  const prefix = new URL(server).pathname.replace(/\/$/, '');
  return `${prefix}${path}${query.size === 0 ? '' : `?${query.toString()}`}`;
}

/** The headers of a request to a cluster, built from nothing: no header of a browser is ever passed on. */
export function requestHeaders(
  request: KubeRequest,
  sender: { credential: LiveCredential; target: Target; userAgent: string; gzip: boolean },
): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {
    accept: request.accept ?? 'application/json',
    // The API server prints for people when it sees a browser's name, in twice the bytes.
    'user-agent': sender.userAgent,
  };
  if (sender.gzip) headers['accept-encoding'] = 'gzip';
  if (request.body !== undefined) headers['content-type'] = request.contentType ?? 'application/json';
  if (sender.credential.token !== undefined) headers['authorization'] = `Bearer ${sender.credential.token}`;
  const { impersonate: own } = sender.target;
  const impersonate = request.as ?? own;
  if (impersonate !== undefined) {
    headers['impersonate-user'] = impersonate.user;
    if (own?.uid !== undefined) headers['impersonate-uid'] = own.uid;
    if (impersonate.groups.length > 0) headers['impersonate-group'] = [...impersonate.groups];
    for (const [key, values] of Object.entries(impersonate.extra)) {
      headers[`impersonate-extra-${encodeURIComponent(key)}`] = [...values];
    }
  }
  return headers;
}
