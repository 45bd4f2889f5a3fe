import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { expect, it, vi } from 'vitest';
import type { StreamedPart } from '../../../src/server/chat/reading.ts';
import { askingPerson } from '../../../src/server/clusters/on-behalf.ts';
import { OpenRights } from '../../../src/server/access/open-rights.ts';
import { installChat } from '../../../src/server/http/chat.ts';

const turnId = '5d9b7c1e-3c5a-4b0e-9a53-0a1f6a0a6c11';

/** An app whose only route streams an answer that is read by `stream`, for person 7. */
async function appOver(stream: () => AsyncGenerator<readonly StreamedPart[]>) {
  const app = Fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.addHook('onRequest', (asked, _reply, done) => {
    Object.assign(asked, { cluster: { id: 1 }, person: { id: 7, companyId: 1, orgRole: 1 } });
    done();
  });
  const never = new Promise<never>(() => {});
  const channel = { on: () => () => {}, onGap: () => () => {} };
  const db = { execute: () => never };
  const rights = new OpenRights({ store: { db, channel }, log: app.log } as never);
  installChat(app, { rights }, { stream } as never);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { app, url: `http://127.0.0.1:${port}/api/clusters/1/chat/turns/${turnId}/stream` };
}

it('a stream that a browser left before it began is read no more', async () => {
  const begun = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<void>();
  let isLeft = false;
  const { app, url } = await appOver(async function* () {
    try {
      begun.resolve();
      await ready.promise;
      yield [];
      yield [];
    } finally {
      isLeft = true;
    }
  });
  try {
    const closed = Promise.withResolvers<void>();
    app.server.on('connection', (socket) => socket.on('close', () => closed.resolve()));
    const asked = request(url).on('error', () => {});
    asked.end();
    await begun.promise;
    asked.destroy();
    await closed.promise;
    ready.resolve();
    await vi.waitUntil(() => isLeft, { timeout: 60_000 });
  } finally {
    await app.close();
  }
});

it('what a stream asks of clusters counts as asked by its reader', async () => {
  const people: unknown[] = [];
  const { app, url } = await appOver(async function* () {
    people.push(askingPerson());
    yield [{ number: 1, part: { type: 'end', state: 'done', text: null } }];
    people.push(askingPerson());
  });
  try {
    expect(await (await fetch(url)).text()).toContain('id: 1');
    expect(people).toEqual([7, 7]);
  } finally {
    await app.close();
  }
});
