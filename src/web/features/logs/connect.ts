import type { LogParts } from './stream.ts';

/** Opens a browser's socket for a log. */
export const connectLog: LogParts['connect'] = (path, on) => {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const socket = new WebSocket(`${scheme}://${location.host}${path}`);
  socket.addEventListener('open', on.open);
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') on.message(data);
  });
  socket.addEventListener('close', on.closed);
  return { send: (text: string) => socket.send(text), close: () => socket.close() };
};
