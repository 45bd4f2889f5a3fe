import pino from 'pino';
import { createGrants } from '../../../src/server/access/grants.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';
import { MailQueue } from '../../../src/server/mail/mail-queue.ts';
import { StoredQueue } from '../../../src/server/queue/queue.ts';
import { openStore } from '../../../src/server/store/open.ts';
import { createVault } from '../../../src/server/store/vault.ts';
import { Deliveries } from '../../../src/server/webhooks/deliveries.ts';
import { Happenings } from '../../../src/server/webhooks/happenings.ts';

/** The deliveries of a server without the server: `node sender.ts DATABASE_URL KEY PORT` sends until it is killed. */
const [databaseUrl = '', key = '', port = ''] = process.argv.slice(2);
const store = await openStore({ databaseUrl, dataDir: '/nowhere' });
const vault = createVault({ current: 'k1', keys: new Map([['k1', Buffer.from(key, 'base64')]]) });
const parts = { store, log: pino({ level: 'silent' }), clock: systemClock };
const origin = () => 'http://console.test';
const queue = new StoredQueue(parts);
const deliveries = new Deliveries({
  ...parts,
  queue,
  vault,
  origin,
  happenings: new Happenings({ store, grants: createGrants(store), queue, origin }),
  mailer: new MailQueue({ ...parts, queue, vault, settings: null }),
  policy: { allowPorts: [Number(port)], allowCidrs: ['127.0.0.1/32'] },
});
await deliveries.start();
process.stdout.write('ready\n');
