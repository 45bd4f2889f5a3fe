import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import { admitUpgrade, type Api } from '../api/api.ts';
import { kubeletFailure } from '../api/kubelet-line.ts';
import { chooseContainer, statusOf } from '../api/log.ts';
import type { Call, Target } from '../api/request.ts';
import { getObject } from '../objects/objects.ts';
import { badRequest, notFound, StatusError } from '../kit/status.ts';
import { at, type Obj, str } from '../kit/values.ts';
import { channelsOf, subprotocols } from './channels.ts';
import { dialRefusal, sessionProblem } from './dead-line.ts';
import { attach, execute, internal, type SessionOptions } from './session.ts';

const sockets = new WebSocketServer({
  noServer: true,
  perMessageDeflate: false,
  maxPayload: 1024 * 1024,
  handleProtocols: (offered) => subprotocols.find((name) => offered.has(name)) ?? false,
});

/** Serves an upgrade request: exec and attach over WebSocket, nothing else. */
export function serveUpgrade(api: Api, request: IncomingMessage, socket: Socket, head: Buffer): void {
  try {
    const url = new URL(request.url ?? '/', 'https://playground');
    const { target, call } = admitUpgrade(api, {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: () => Promise.resolve(Buffer.alloc(0)),
    });
    const options = sessionOptionsOf(api, target, call);
    const isExec = target.subresource?.name === 'exec';
    const dead = kubeletFailure(api.world, options.pod);
    sockets.handleUpgrade(request, socket, head, (opened) => {
      const channels = channelsOf(opened, options);
      if (dead !== undefined) {
        channels.end(internal(sessionProblem(dead, { ...options, endpoint: isExec ? 'exec' : 'attach' })));
        return;
      }
      const end = isExec ? execute(api, options, channels) : attach(api.world, options, channels);
      api.streams.add(end);
      opened.on('close', () => api.streams.delete(end));
    });
  } catch (error) {
    refuse(socket, error);
  }
}

/** Reads and validates a session request as the API server and the kubelet do. Throws StatusError. */
function sessionOptionsOf(api: Api, target: Target, call: Call): SessionOptions {
  const { resource, namespace, name, subresource } = target;
  const pod = getObject(api.world, resource, namespace, name);
  if (subresource?.name === 'portforward') {
    throw badRequest('Ports cannot be forwarded from the playground: no process listens in its pods.');
  }
  if (subresource?.name !== 'exec' && subresource?.name !== 'attach') {
    throw badRequest('The playground opens connections of their own only for exec and attach.');
  }
  const container = chooseContainer(pod, call.query.get('container'));
  const flag = (option: string) => ['true', '1'].includes(call.query.get(option) ?? '');
  const options: SessionOptions = {
    pod,
    container,
    command: call.query.getAll('command'),
    stdin: flag('stdin'),
    stdout: flag('stdout'),
    stderr: flag('stderr') && !flag('tty'),
    tty: flag('tty'),
  };
  if (!options.stdin && !options.stdout && !options.stderr) {
    throw badRequest('you must specify at least 1 of stdin, stdout, stderr');
  }
  if (subresource.name === 'exec' && options.command.length === 0)
    throw badRequest('you must specify a command');
  checkPlace(pod);
  const dead = kubeletFailure(api.world, pod);
  if (dead === undefined) checkRuns(pod, container);
  else if (!opensFirst(call)) throw dialRefusal(dead);
  checkProtocol(call);
  return options;
}

const offeredBy = (call: Call) => (call.headers['sec-websocket-protocol'] ?? '').split(/,\s*/);

/**
 * Whether the API server accepts the connection before it contacts the kubelet: it does for v5, which it
 * translates.
 */
const opensFirst = (call: Call) => offeredBy(call).includes('v5.channel.k8s.io');

/**
 * Runs last: kubectl retries with SPDY after any refusal and shows only that answer, so other errors must come
 * first.
 */
function checkProtocol(call: Call): void {
  if (String(call.headers.upgrade).toLowerCase() !== 'websocket') {
    throw badRequest(
      `The playground speaks exec and attach over WebSocket (${subprotocols.join(', ')}), not ${String(call.headers.upgrade)}: use kubectl 1.31 or later.`,
    );
  }
  const offered = offeredBy(call);
  if (!subprotocols.some((protocol) => offered.includes(protocol))) {
    throw badRequest(
      `unable to upgrade: no protocol of [${offered.join(' ')}] is one of [${subprotocols.join(' ')}]`,
    );
  }
}

/** The API server's checks of a pod's node and phase. */
function checkPlace(pod: Obj): void {
  const { name = '' } = pod.metadata;
  if (str(at(pod, 'spec', 'nodeName')) === '') throw badRequest(`pod ${name} does not have a host assigned`);
  const phase = str(at(pod, 'status', 'phase'));
  if (phase === 'Succeeded' || phase === 'Failed') {
    throw badRequest(`cannot exec into a container in a completed pod; current phase is ${phase}`);
  }
}

/** The kubelet's check that the container runs. */
function checkRuns(pod: Obj, container: string): void {
  const { name = '', namespace = '' } = pod.metadata;
  if (statusOf(pod, container)?.state?.running === undefined) {
    const why = notFound({ group: '', plural: 'pods' }, name);
    throw new StatusError(
      500,
      'InternalError',
      `Internal error occurred: unable to upgrade connection: container not found ("${container}")`,
      { causes: [{ message: `container not found in pod ${namespace}/${name} (${why.body.code})` }] },
    );
  }
}

/** Refuses an upgrade: an HTTP answer with a Status. */
function refuse(socket: Socket, error: unknown): void {
  const status =
    error instanceof StatusError
      ? error
      : new StatusError(500, 'InternalError', `Internal error occurred: ${String(error)}`);
  const body = JSON.stringify(status.body);
  const code = status.body.code ?? 500;
  socket.end(
    `HTTP/1.1 ${code} ${STATUS_CODES[code] ?? ''}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
