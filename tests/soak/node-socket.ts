import { WebSocket } from 'ws';
import type { Connect } from '../../src/web/data/socket/socket.ts';

/** What opens the sockets of a page here, where no browser is: the page's own code does the rest. */
export const connectBy =
  (url: () => string, headers: () => Readonly<Record<string, string>>): Connect =>
  (events) => {
    const socket = new WebSocket(url().replace(/^http/, 'ws'), { headers: headers() });
    socket.on('open', () => events.onOpen());
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) events.onData?.(data);
      else events.onMessage(data.toString('utf8'));
    });
    // After an error it closes.
    socket.on('error', () => undefined);
    socket.on('close', (code) => events.onClose(code));
    return {
      send: (data) => {
        if (socket.readyState === WebSocket.OPEN) socket.send(data);
      },
      close: () => socket.terminate(),
    };
  };
