import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/web/data/client.ts';
import { WebhookChanges } from '../../src/web/data/webhook-changes.ts';

const id = '0f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const wanted = { url: 'https://hooks.example.org/', events: ['job.failed' as const] };

/** Changes on a server that answers every call alike. */
function changesWith(answer: () => Response): WebhookChanges {
  const api = createClient({
    fetch: () => Promise.resolve(answer()),
    cookies: () => '',
    place: { protocol: 'https:', port: '' },
    confirmIdentity: () => Promise.resolve(false),
    onSignedOut: () => {},
    log: () => {},
  });
  return new WebhookChanges(api, 7);
}

describe('changes of webhooks', () => {
  test('one that cannot be added is null, one that cannot be deleted is false, and the reason is kept', async () => {
    const silent = changesWith(() => new Response(null, { status: 500 }));
    expect(await silent.add(wanted)).toBeNull();
    expect(silent.failure).toMatchObject({ title: 'Failed to add webhook' });
    expect(await silent.delete(id)).toBe(false);
    expect(silent.failure).toMatchObject({ title: 'Failed to delete webhook' });
  });

  test('the server’s own words come first', async () => {
    const refused = changesWith(() =>
      Response.json({ title: 'You have 20 webhooks already.' }, { status: 409 }),
    );
    expect(await refused.add(wanted)).toBeNull();
    expect(refused.failure).toMatchObject({ title: 'You have 20 webhooks already.' });
  });

  test('a change that is made forgets why the one before failed', async () => {
    let status = 500;
    const changes = changesWith(() => new Response(null, { status }));
    expect(await changes.delete(id)).toBe(false);
    status = 204;
    expect(await changes.delete(id)).toBe(true);
    expect(changes.failure).toBeUndefined();
  });
});
