import pino from 'pino';
import { createFileSink, createHttpsSink } from '../../../src/server/streams/sinks.ts';
import { AuditStreams } from '../../../src/server/streams/streams.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';
import { openStore } from '../../../src/server/store/open.ts';
import { createVault } from '../../../src/server/store/vault.ts';

/** The streams of a server without the server: `node streamer.ts DATABASE_URL KEY PORT FILE` sends until it is killed. */
const [databaseUrl = '', key = '', port = '', file = ''] = process.argv.slice(2);
const store = await openStore({ databaseUrl, dataDir: '/nowhere' });
const vault = createVault({ current: 'k1', keys: new Map([['k1', Buffer.from(key, 'base64')]]) });
const policy = { allowPorts: [Number(port)], allowCidrs: ['127.0.0.1/32'], sent: 'audit' } as const;
const parts = { store, log: pino({ level: 'silent' }), clock: systemClock, round: 50, waits: [100] };
const batches = { rows: 3, waiting: 100_000 };
for (const sink of [createHttpsSink({ vault, policy, clock: systemClock }), createFileSink(file)])
  void new AuditStreams({ ...parts, batches, sink }).run(new AbortController().signal);
process.stdout.write('ready\n');
