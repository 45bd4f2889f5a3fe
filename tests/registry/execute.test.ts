import { describe, expect, test } from 'vitest';
import { Problem } from '../../src/contract/problem.ts';
import { action, route } from '../../src/registry/commands/command.ts';
import type { Invocation } from '../../src/registry/commands/invocation.ts';
import { execute, sentenceOf } from '../../src/registry/commands/execute.ts';
import { Refusal } from '../../src/registry/commands/refusal.ts';
import type { Services, ToastOptions } from '../../src/registry/commands/services.ts';

interface Told {
  readonly opened: string[];
  readonly toasts: (readonly [string, string, ToastOptions | undefined])[];
  readonly logged: string[];
}

function recorder(): { readonly services: Services; readonly told: Told } {
  const told: Told = { opened: [], toasts: [], logged: [] };
  const say = (type: string) => (title: string, options?: ToastOptions) => {
    told.toasts.push([type, title, options]);
  };
  const services: Pick<Services, 'workspace' | 'toast' | 'log'> = {
    workspace: {
      open: (href: string) => told.opened.push(href),
      inChosenNamespace: (href: string) => `${href}?ns=shop`,
    } as unknown as Services['workspace'],
    toast: { success: say('success'), error: say('error'), warning: say('warning'), info: say('info') },
    log: (message) => told.logged.push(message),
  };
  // The commands of this test use no other services.
  return { services: services as Services, told };
}

const invocation = (
  args: Readonly<Record<string, unknown>> = {},
): Invocation<Readonly<Record<string, unknown>>> => ({
  args,
  subject: { type: 'none' },
  source: 'api',
  target: 'here',
});

describe('running a command', () => {
  test('a route opens its path, a list in the chosen namespace', async () => {
    const { services, told } = recorder();
    const command = route({
      id: 'x',
      title: 'X',
      group: 'Go to',
      path: '/clusters/:clusterId/pods',
      load: () => Promise.resolve({ Screen: () => null }),
    });
    expect(await execute(command, invocation({ clusterId: '3' }), services)).toBe(true);
    expect(told.opened).toEqual(['/clusters/3/pods?ns=shop']);
    // A key names no cluster, so the subject's cluster applies.
    const subject = { type: 'cluster', cluster: '7' } as const;
    expect(await execute(command, { ...invocation(), subject }, services)).toBe(true);
    expect(told.opened).toEqual(['/clusters/3/pods?ns=shop', '/clusters/7/pods?ns=shop']);
  });

  test('a failure is logged with the command’s id and shown in a toast that stays', async () => {
    const { services, told } = recorder();
    const command = action({
      id: 'cluster.fail',
      title: 'Fail',
      group: 'Cluster',
      run: () => Promise.reject(new Problem({ status: 502, title: 'prod is unreachable.' })),
    });
    expect(await execute(command, invocation(), services)).toBe(false);
    expect(told.toasts).toEqual([['error', 'prod is unreachable.', { duration: Number.POSITIVE_INFINITY }]]);
    expect(told.logged).toEqual(['The command cluster.fail failed.']);
  });

  test('a failure for want of a right offers to tell who can grant it, and tells', async () => {
    const { services, told } = recorder();
    const asked: unknown[] = [];
    const api = {
      whyNot: (call: unknown) => {
        asked.push(call);
        return Promise.resolve({
          cluster: 'prod',
          missing: ['pods.manage'],
          owners: ['Ada'],
          teamAdmins: [],
        });
      },
    };
    const command = action({
      id: 'pod.evict',
      title: 'Evict',
      group: 'Objects',
      run: () =>
        Promise.reject(
          new Problem({
            status: 403,
            title: 'You lack the permission "pods.manage" on prod.',
            lacking: { needs: ['pods.manage'], clusterId: 3, namespace: 'shop' },
          }),
        ),
    });
    await execute(command, invocation(), { ...services, api } as unknown as Services);
    const [offer] = told.toasts[0]?.[2]?.actions ?? [];
    expect(offer?.label).toBe('Who can grant it?');
    offer?.run();
    await expect.poll(() => told.toasts.length).toBe(2);
    expect(asked).toEqual([{ query: { needs: 'pods.manage', clusterId: 3, namespace: 'shop' } }]);
    expect(told.toasts[1]?.slice(0, 2)).toEqual([
      'info',
      'This needs pods.manage on prod, which you do not have.',
    ]);
  });

  test('a refusal is shown in a passing toast and not logged', async () => {
    const { services, told } = recorder();
    const command = action({
      id: 'x.refused',
      title: 'X',
      group: 'Workspace',
      run: () => {
        throw new Refusal('At most 8 tiles fit.');
      },
    });
    expect(await execute(command, invocation(), services)).toBe(false);
    expect(told.logged).toEqual([]);
    expect(told.toasts).toEqual([['warning', 'At most 8 tiles fit.', undefined]]);
  });

  test('a disabled command shows its reason and does not run', async () => {
    const { services, told } = recorder();
    const command = action({
      id: 'x',
      title: 'X',
      group: 'Cluster',
      enabled: () => 'The cluster is read-only.',
      run: () => {
        throw new Error('must not run');
      },
    });
    expect(await execute(command, invocation(), services)).toBe(false);
    expect(told.toasts).toEqual([['info', 'The cluster is read-only.', undefined]]);
  });

  test.each([
    [new Problem({ status: 400, title: 'A title.' }), 'A title.'],
    [new Error('A message.'), 'A message.'],
    ['Words.', 'Words.'],
    [{}, 'An error occurred'],
  ])('the sentence of %s', (error, sentence) => expect(sentenceOf(error)).toBe(sentence));
});
