import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { actionById, actionIds } from '../../../commands/kinds/index.ts';
import { api } from '../../../src/contract/api.ts';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { consoleActs, wordsOf } from '../../../src/server/audit/console-acts.ts';
import { inPast } from '../../../src/server/audit/phrases.ts';
import { type SaidEntry, sentenceOf } from '../../../src/server/audit/sentences.ts';
import { root, sources } from '../../sources.ts';

const endpoints = Object.entries<Endpoint>(api);
const isAudited = ({ method, reads, own }: Endpoint) => method !== 'GET' && reads !== true && own !== true;

const entry = (action: string, more: Partial<SaidEntry> = {}): SaidEntry => ({
  action,
  actor: 'olga@acme.example',
  status: 200,
  subject: {},
  changes: null,
  cluster: null,
  clusterId: null,
  ...more,
});

describe('the words of the audit', () => {
  it.each(endpoints.filter(([, one]) => isAudited(one)))('has a clause for the call %s', (_, { audited }) => {
    expect(audited).toMatch(/^[a-z]+ /);
  });

  it('has none for calls that leave no entry of their own name', () => {
    const recorded = sources('src/server')
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .join('\n');
    const idle = endpoints.filter(
      ([name, one]) => one.audited !== undefined && !isAudited(one) && !recorded.includes(`'${name}'`),
    );
    expect(idle.map(([name]) => name)).toEqual([]);
  });

  it('has words for every action that the server writes by a name of its own', () => {
    const unworded = sources('src/server').flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const isAuditing = /auditRows|recordEnded|audit\.|operatorRow/.test(text);
      if (!isAuditing) return [];
      const named = [
        ...text.matchAll(/\baction: '([^']+)'/g),
        ...text.matchAll(/\b(?:record|enter)\(\s*'([^']+)'/g),
        ...text.matchAll(/\b(?:recordOperator|operatorRow)\([^,]+, '([^']+)'/g),
        ...text.matchAll(
          /'((?:groupPlace|access|audit|recording|subscription|pod|object|resource|secret|release)\.[a-z]+)'/g,
        ),
      ].map(([, action = '']) => action);
      return named
        .filter((action) => wordsOf(action) === undefined && actionById(action) === undefined)
        .map((action) => `${file}: ${action}`);
    });
    expect(unworded).toEqual([]);
  });

  it.each(Object.entries(consoleActs))('uses the words of %s', (action) => {
    const isWritten = sources('src/server')
      .filter((file) => !file.endsWith('console-acts.ts'))
      .concat('src/server/store/migrations/0045_kept_audit_entries.sql')
      .some((file) => readFileSync(join(root, file), 'utf8').includes(`'${action}'`));
    expect(isWritten).toBe(true);
  });

  it('puts each clause into the past', () => {
    const clauses = [
      ...endpoints.flatMap(([, { audited }]) => audited ?? []),
      ...Object.values(consoleActs).map(({ words }) => words),
    ];
    const verbs = [...new Set(clauses.map((clause) => clause.split(' ', 1)[0] ?? ''))].sort();
    expect(Object.fromEntries(verbs.map((verb) => [verb, inPast(verb)]))).toMatchInlineSnapshot(`
      {
        "accept": "accepted",
        "activate": "activated",
        "add": "added",
        "apply": "applied",
        "approve": "approved",
        "ask": "asked",
        "attach": "attached",
        "become": "became",
        "begin": "began",
        "cancel": "cancelled",
        "change": "changed",
        "come": "came",
        "compare": "compared",
        "confirm": "confirmed",
        "connect": "connected",
        "create": "created",
        "delete": "deleted",
        "disconnect": "disconnected",
        "dismiss": "dismissed",
        "download": "downloaded",
        "drop": "dropped",
        "edit": "edited",
        "end": "ended",
        "export": "exported",
        "found": "founded",
        "give": "gave",
        "invite": "invited",
        "leave": "left",
        "lift": "lifted",
        "make": "made",
        "map": "mapped",
        "open": "opened",
        "read": "read",
        "refuse": "refused",
        "reject": "rejected",
        "remove": "removed",
        "rename": "renamed",
        "replace": "replaced",
        "replay": "replayed",
        "report": "reported",
        "restore": "restored",
        "reveal": "revealed",
        "revoke": "revoked",
        "run": "ran",
        "send": "sent",
        "set": "set",
        "sign": "signed",
        "skip": "skipped",
        "stop": "stopped",
        "switch": "switched",
        "take": "took",
        "test": "tested",
        "use": "used",
      }
    `);
  });

  it.each([...actionIds, ...actionIds.map((id) => `${id}.end`), ...actionIds.map((id) => `${id}.cancel`)])(
    'makes a sentence of %s',
    (action) => {
      const subject = {
        kind: 'deployment',
        namespace: 'shop',
        names: 'shop/web',
        objects: 1,
        outcome: 'done',
      };
      const sentence = sentenceOf(entry(action, { subject, cluster: 'prod' }));
      expect(sentence).toContain('Deployment shop/web on prod');
      expect(sentence).toContain('olga@acme.example');
      expect(sentence).not.toMatch(/unknown|undefined|[{}[\]]/);
    },
  );

  const said: readonly [string, Partial<SaidEntry>, string][] = [
    [
      'setTeamMember',
      {
        subject: { teamId: 4, team: 'Shop', userId: 7, email: 'mia@acme.example', role: 4 },
        changes: { role: { before: 6, after: 4 } },
      },
      'olga@acme.example gave mia@acme.example the role TeamAdmin in the team Shop: role Viewer → TeamAdmin.',
    ],
    [
      'setTeamMember',
      { status: 403, subject: { teamId: 4, team: 'Shop', userId: 7, email: 'mia@acme.example', role: 4 } },
      'olga@acme.example tried to give mia@acme.example the role TeamAdmin in the team Shop, which was refused.',
    ],
    [
      'groupPlace.gain',
      {
        actor: 'groups',
        subject: { team: 'Devs', email: 'otto@acme.example', role: 6, provider: 'house', group: 'k8s-devs' },
        changes: { role: { before: null, after: 6 } },
      },
      'The console gave otto@acme.example the role Viewer in the team Devs, by the group k8s-devs of house: role none → Viewer.',
    ],
    [
      'addTeamCluster',
      {
        cluster: 'prod',
        subject: { team: 'Shop', namespaces: 'shop' },
        changes: { namespaces: { before: null, after: 'shop' } },
      },
      'olga@acme.example gave the team Shop access to prod: namespaces none → shop.',
    ],
    [
      'deployment.scale',
      {
        cluster: 'prod',
        subject: { kind: 'deployment', namespace: 'shop', names: 'shop/web', objects: 1, failed: 0 },
        changes: { replicas: { before: 2, after: 3 } },
      },
      'Deployment shop/web on prod was scaled by olga@acme.example: replicas 2 → 3.',
    ],
    [
      'deployment.restart',
      {
        cluster: 'prod',
        subject: { kind: 'deployment', names: 'shop/web, shop/api', objects: 2, failed: 1 },
      },
      '2 objects (Deployment: shop/web, shop/api) on prod were restarted by olga@acme.example, of which 1 failed.',
    ],
    [
      'deployment.restart',
      { cluster: 'prod', subject: { kind: 'deployment', names: 'shop/web', objects: 1, dryRun: true } },
      'olga@acme.example tried in a dry run to do “Restart” on Deployment shop/web on prod: nothing was changed.',
    ],
    [
      'pod.shell',
      {
        cluster: 'prod',
        status: null,
        subject: { namespace: 'shop', name: 'web-1', container: null, recording: 'f'.repeat(64) },
      },
      'olga@acme.example began to open a shell in Pod shop/web-1 on prod; no outcome is recorded.',
    ],
    [
      'signIn',
      { actor: 'signed out', status: 401 },
      'Somebody signed out tried to sign in, which was refused.',
    ],
    ['many.actions', {}, 'olga@acme.example did “many.actions”.'],
  ];
  it.each(said)('says %s in words', (action, more, sentence) => {
    expect(sentenceOf(entry(action, more))).toBe(sentence);
  });
});
