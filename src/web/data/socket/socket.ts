/** An open or opening connection to the console. */
export interface Socket {
  readonly send: (data: string | Uint8Array<ArrayBuffer>) => void;
  readonly close: () => void;
  /**
   * The message that was sent under the id `firstId` before the page took the connection over; returned once. Live data
   * only.
   */
  readonly asked?: () => string | undefined;
}

/** Events of a connection. */
export interface SocketEvents {
  readonly onOpen: () => void;
  readonly onMessage: (text: string) => void;
  readonly onData?: (data: Uint8Array) => void;
  /** With the close code. */
  readonly onClose: (code: number) => void;
}

/** Opens a connection. */
export type Connect = (events: SocketEvents) => Socket;

/** Opens a browser's WebSocket at a path of this console. */
export const connectTo =
  (path: string): Connect =>
  ({ onOpen, onMessage, onData, onClose }) => {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}${path}`);
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('open', onOpen);
    socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data === 'string') onMessage(data);
      else onData?.(new Uint8Array(data));
    });
    socket.addEventListener('close', ({ code }) => onClose(code));
    return {
      send: (data) => {
        if (socket.readyState === WebSocket.OPEN) socket.send(data);
      },
      close: () => socket.close(),
    };
  };
