import type { WebSocket } from 'ws';
import type { Member } from '../access/person.ts';

/** The live side of the server: one list+watch per cluster, credential, resource and namespace, fanned out to pages. */
export interface Hub {
  /** Serves one page. The upgrade was authorised by the caller; each subscription is authorised here. */
  connect(socket: WebSocket, person: Member): void;
  /** Figures for /metrics. */
  stats(): {
    readonly sockets: number;
    readonly subscriptions: number;
    readonly reflectors: number;
    readonly objects: number;
  };
  /** Ends every socket with "reconnect" and every reflector. */
  close(): Promise<void>;
}
