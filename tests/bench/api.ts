import { Agent, request } from 'node:https';

/** Where the cluster is, and who asks. */
export interface ApiTarget {
  readonly server: string;
  readonly authority: string;
  readonly token: string;
}

/** Calls the API of a cluster. Throws on an answer that is no success. */
export type ApiCall = (method: string, path: string, body?: unknown, contentType?: string) => Promise<string>;

/** A way to call a cluster over a few kept connections, and its end. */
export function openApi({ server, authority, token }: ApiTarget): { call: ApiCall; close: () => void } {
  const agent = new Agent({ ca: authority, keepAlive: true, maxSockets: 8 });
  const call: ApiCall = (method, path, body, contentType = 'application/json') =>
    new Promise((resolve, reject) => {
      const type = body === undefined ? {} : { 'content-type': contentType };
      const headers = { authorization: `Bearer ${token}`, ...type };
      const sent = request(server + path, { method, agent, headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(parts).toString('utf8');
          const status = answer.statusCode ?? 0;
          if (status >= 200 && status < 300) resolve(text);
          else reject(new Error(`The cluster answered ${status}: ${text.slice(0, 200)}`));
        });
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  return { call, close: () => agent.destroy() };
}
