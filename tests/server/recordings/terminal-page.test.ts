import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { Recorder } from '../../../src/server/recordings/recorder.ts';
import type { Remote } from '../../../src/server/shells/remote.ts';
import { TerminalPage } from '../../../src/server/shells/terminal-page.ts';
import { createFakeClock, settle } from '../live/fake-clock.ts';

/** A recorded terminal whose store takes nothing until `store` is called. */
async function recorded() {
  let gate: Promise<undefined> = Promise.resolve(undefined);
  const recorder = new Recorder({
    store: { append: () => gate, end: (ending) => Promise.resolve(ending) },
    clock: createFakeClock(),
    size: { columns: 80, rows: 24 },
    title: '',
  });
  await recorder.start();
  const taken = Promise.withResolvers<undefined>();
  gate = taken.promise;
  const flows = { page: true, process: true };
  const typed: string[] = [];
  const socket = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    send: () => undefined,
    pause: () => (flows.page = false),
    resume: () => (flows.page = true),
  });
  const page = new TerminalPage(
    socket as unknown as WebSocket,
    { columns: 80, rows: 24 },
    1024 * 1024,
    recorder,
  );
  page.connect({
    input: (data: Buffer) => typed.push(data.toString('utf8')),
    resize: () => undefined,
    unsent: 0,
    pause: () => (flows.process = false),
    resume: () => (flows.process = true),
  } as unknown as Remote);
  page.started('sh');
  return { socket, page, flows, typed, recorder, store: () => taken.resolve(undefined) };
}

it('a recorded shell takes no input while what it showed is being stored', async () => {
  const { page, flows, store } = await recorded();
  expect(flows).toEqual({ page: true, process: true });
  page.show(Buffer.from('x'.repeat(70_000)));
  expect(flows).toEqual({ page: false, process: false });
  store();
  await settle();
  expect(flows).toEqual({ page: true, process: true });
});

it('a recorded shell takes no input while its page does not take what it shows', async () => {
  const { socket, page, flows } = await recorded();
  socket.bufferedAmount = 2 * 1024 * 1024;
  page.show(Buffer.from('x'));
  expect(flows).toEqual({ page: false, process: false });
});

it('a page that left types nothing more, and what the process still writes is read and recorded', async () => {
  const { socket, page, flows, typed, recorder } = await recorded();
  socket.emit('message', Buffer.from('a'), true);
  page.hold();
  expect(flows.process).toBe(false);
  page.endInput();
  socket.readyState = 3;
  expect(flows).toEqual({ page: true, process: true });
  socket.emit('message', Buffer.from('b'), true);
  expect(typed).toEqual(['a']);
  page.show(Buffer.from('x'.repeat(70_000)));
  expect(recorder.isBusy).toBe(true);
});
