import { subscribe } from 'node:diagnostics_channel';
import type { ClientHttp2Stream } from 'node:http2';

const ignore = (): void => undefined;

let isGuarding = false;

/**
 * Lets no HTTP/2 stream of this process end it. undici takes its listeners away from a stream that is done or cancelled;
 * where the connection fails before such a stream has closed (as when it was idle for too long), its error would be an
 * uncaught one. Whatever still waits for the stream has a listener of its own.
 */
export function guardAbandonedStreams(): void {
  if (isGuarding) return;
  isGuarding = true;
  subscribe('http2.client.stream.created', (message) => {
    (message as { readonly stream: ClientHttp2Stream }).stream.on('error', ignore);
  });
}
