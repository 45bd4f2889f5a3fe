import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type CastEvent, readCast } from '../../../src/contract/asciicast.ts';
import { type ReplayMessage, replayPath } from '../../../src/contract/recordings.ts';
import type { ShellMessage } from '../../../src/contract/shell.ts';
import type { Pod } from '../../../src/kube/core.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { fillPath } from '../../../src/registry/path.ts';
import type { TestConsole, TestPerson } from '../harness.ts';
import { deploymentOf, type PlaygroundConsole, startPlaygroundConsole } from '../playground-console.ts';

/** A console with a running pod on a cluster whose shells are recorded. */
interface ShellPlace {
  readonly playground: PlaygroundConsole;
  readonly console: TestConsole;
  readonly owner: TestPerson;
  readonly clusterId: number;
  /** Name of the pod, in the namespace `shop`. */
  readonly pod: string;
}

/** Shells and recordings of one console, which is started for the tests of a file. */
export function sharedRecordedShells() {
  let found: ShellPlace | undefined;
  const sockets: WebSocket[] = [];
  const place = (): ShellPlace => {
    if (found === undefined) throw new Error('The console was not started yet.');
    return found;
  };

  /** A socket on a page: what is shown, and what it is told. */
  function connect<Message extends { type: string }>(person: TestPerson, path: string) {
    const socket = new WebSocket(place().console.url.replace('http', 'ws') + path, {
      headers: { ...person.client.handshake },
    });
    sockets.push(socket);
    const page = {
      socket,
      messages: [] as Message[],
      shown: '',
      status: undefined as number | undefined,
      is: (type: Message['type']) => page.messages.find((message) => message.type === type),
    };
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) page.shown += data.toString('utf8');
      else page.messages.push(JSON.parse(data.toString('utf8')) as Message);
    });
    socket.on('error', () => {});
    socket.on('unexpected-response', (_request, answer) => {
      page.status = answer.statusCode;
    });
    return page;
  }

  const openShell = (person: TestPerson, more = '') =>
    connect<ShellMessage>(
      person,
      `/api/clusters/${place().clusterId}/pods/shop/${place().pod}/shell?columns=100&rows=30${more}`,
    );

  async function startShell(person: TestPerson) {
    const shell = openShell(person);
    await expect.poll(() => shell.is('started')).toBeDefined();
    return { ...shell, page: shell, type: (text: string) => shell.socket.send(Buffer.from(text)) };
  }

  const replay = (person: TestPerson, recordingId: string) =>
    connect<ReplayMessage>(person, fillPath(replayPath, { recordingId }));

  const setRules = async (change: { isShellRecorded: boolean; isImpersonating?: boolean }) =>
    await place().owner.client.call('saveGlobalSettings', {
      params: { clusterId: place().clusterId },
      body: { isProtected: false, isReadOnly: false, isShellAllowed: true, ...change },
    });

  const recordingsOf = async (person: TestPerson) =>
    (await place().owner.client.call('recordings', { query: { person: person.email } })).recordings;

  /** The one recording of a person, once it has ended. */
  async function endedRecording(person: TestPerson) {
    await expect.poll(async () => (await recordingsOf(person))[0]?.endedAt ?? null).not.toBeNull();
    const [recording] = await recordingsOf(person);
    if (recording === undefined) throw new Error('Nothing was recorded.');
    return recording;
  }

  async function castOf(recordingId: string) {
    const page = replay(place().owner, recordingId);
    await expect.poll(() => page.is('complete') ?? page.is('ended')).toBeDefined();
    page.socket.close();
    return readCast(page.shown);
  }

  beforeAll(async () => {
    const playground = await startPlaygroundConsole('shop');
    const { console, owner, clusterId } = playground;
    await playground.transport.json({
      method: 'POST',
      path: '/apis/apps/v1/namespaces/shop/deployments',
      body: deploymentOf('shop', 'web', 'nginx:1.27', 1),
    });
    const running = await vi.waitUntil(
      async () => {
        const list = await playground.seen<KubeObject & { items?: Pod[] }>('/api/v1/namespaces/shop/pods');
        return list?.items?.find(
          ({ status }) => status?.containerStatuses?.[0]?.state?.running !== undefined,
        );
      },
      { timeout: 60_000 },
    );
    found = { playground, console, owner, clusterId, pod: running.metadata?.name ?? '' };
    await setRules({ isShellRecorded: true });
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.terminate();
  });
  afterAll(() => found?.console.close());

  return {
    /** Once it has started. */
    get place() {
      return place();
    },
    connect,
    openShell,
    /** A shell that has started. */
    startShell,
    replay,
    setRules,
    recordingsOf,
    endedRecording,
    /** What a recording shows. */
    castOf,
    newOwner: () => place().console.person({ companyId: place().playground.companyId, isOwner: true }),
  };
}

/** The texts of the events of a sort in a recording. */
export const textOf = (events: readonly CastEvent[], code = 'o') =>
  events
    .filter((event) => event[1] === code)
    .map((event) => event[2])
    .join('');
