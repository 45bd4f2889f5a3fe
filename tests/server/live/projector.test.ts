import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../src/kube/object.ts';
import { kinds } from '../../../commands/kinds/index.ts';
import { pod } from '../../../commands/kinds/pod.ts';
import { defineKind } from '../../../src/registry/kinds/kind.ts';
import { createProjector } from '../../../src/server/live/source/projector.ts';
import { sampleOf } from '../../kinds/samples.ts';
import { rounds } from '../../prove.ts';
import { podOf } from './script-transport.ts';

const silent = pino({ level: 'silent' });

describe('the projector', () => {
  test.each(kinds)('$id survives a bare object', (kind) => {
    const entry = createProjector(kind, silent)({ metadata: { name: 'bare' } }, undefined);
    expect(entry?.cells).toHaveLength(kind.columns.length);
    expect(entry?.uid).toBe('/bare');
  });

  test('an object without a name is no row', () => {
    expect(createProjector(pod, silent)({ metadata: { uid: 'x' } }, undefined)).toBeUndefined();
    expect(createProjector(pod, silent)({}, undefined)).toBeUndefined();
  });

  test('control characters and direction overrides of the cluster never reach a cell', () => {
    const object = podOf('a\u001b[31m\u202eb', '1', 'Run\u0000ning\u009b', 'sh\u0007op');
    const entry = createProjector(pod, silent)(object, undefined);
    expect(JSON.stringify(entry?.cells)).not.toMatch(/\\u00|\u202e/);
    expect(entry?.cells).toContain('ab');
  });

  test.each(kinds)('$id holds plain values of bounded size, whatever types its cluster sends', (kind) => {
    // One such value alone is more than a row may hold.
    const long = 'x'.repeat(rounds(1_200_000, 5_000_000));
    const odd: unknown[] = [
      null,
      7,
      long,
      { a: { b: 1 } },
      [{ c: 1 }],
      Array.from({ length: 5_000 }, () => ({ type: long.slice(0, 10), status: { a: 1 } })),
    ];
    for (const value of odd) {
      const project = createProjector(kind, silent);
      const part = Object.fromEntries(
        [
          'phase',
          'podIP',
          'conditions',
          'containers',
          'replicas',
          'nodeName',
          'type',
          'ports',
          'nodeInfo',
        ].map((name) => [name, value]),
      );
      const object: unknown = {
        metadata: {
          name: 'odd',
          namespace: value,
          uid: value,
          labels: { ok: 'yes', odd: value, [`k${long}`]: 'x' },
          annotations: value,
          ownerReferences: value,
          creationTimestamp: value,
          resourceVersion: value,
        },
        spec: part,
        status: part,
        type: value,
        reason: value,
        message: value,
        involvedObject: value,
      };
      const entry = project(object as KubeObject, undefined);
      expect(entry?.labels).toHaveProperty('ok', 'yes');
      expect(JSON.stringify(entry).length).toBeLessThan(1_000_000);
      for (const item of (entry?.cells ?? []).flat()) {
        expect(item === null || ['string', 'number', 'boolean'].includes(typeof item)).toBe(true);
      }
    }
  });

  test('an object without a name of a valid length is no row, and a truncated text says so', () => {
    const project = createProjector(pod, silent);
    for (const name of ['x'.repeat(254), 7, {}, '']) {
      const object: unknown = { metadata: { name, uid: 'u' } };
      expect(project(object as KubeObject, undefined)).toBeUndefined();
    }
    const entry = project(podOf('a', '1', 'y'.repeat(33_000)), undefined);
    expect(JSON.stringify(entry?.cells)).toContain(`${'y'.repeat(32_768)}…`);
  });

  test('a column that throws is null, is logged once with its id, and leaves the others alone', () => {
    const lines: { column?: string }[] = [];
    const log = pino(
      { level: 'error' },
      { write: (line: string) => void lines.push(JSON.parse(line) as object) },
    );
    const kind = defineKind({
      id: 'odd',
      kind: 'Odd',
      group: '',
      version: 'v1',
      plural: 'odds',
      scope: 'Cluster',
      title: 'Odds',
      icon: 'object',
      permissions: { view: 'clusters.view', manage: 'resources.manage' },
      paths: { list: '/odds' },
      columns: [
        'name',
        {
          id: 'broken',
          label: 'Broken',
          format: 'text',
          value: () => {
            throw new Error('no such field');
          },
        },
      ],
    });
    const project = createProjector(kind, log);
    expect(project({ metadata: { name: 'a' } }, undefined)?.cells).toEqual(['a', null]);
    expect(project({ metadata: { name: 'b' } }, undefined)?.cells).toEqual(['b', null]);
    expect(lines.map((line) => line.column)).toEqual(['broken']);
  });

  test('the same values give the same entry, with its version brought up to date', () => {
    const project = createProjector(pod, silent);
    const first = project(podOf('a', '1'), undefined);
    expect(project(podOf('a', '2'), first)).toBe(first);
    expect(first?.version).toBe('2');
    expect(project(podOf('a', '3', 'Failed'), first)).not.toBe(first);
  });

  test.each(kinds)('$id is held as it is now, whatever of it was held before', (kind) => {
    const { healthy } = sampleOf(kind);
    const owner = (name: string, controller: boolean) => ({
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      name,
      uid: name,
      controller,
    });
    const withMetadata = (metadata: object) => ({
      ...healthy,
      metadata: { ...healthy.metadata, ...metadata },
    });
    const bare: KubeObject = { metadata: { ...healthy.metadata, labels: { only: 'one' } } };
    const states: readonly KubeObject[] = [
      healthy,
      bare,
      withMetadata({ labels: { only: 'one', more: 'two' } }),
      withMetadata({
        labels: { only: 'o\u0007ther' },
        ownerReferences: [owner('a', true), owner('b', false)],
      }),
      withMetadata({ ownerReferences: [owner('a', false), owner('b', true)] }),
      withMetadata({ ownerReferences: [owner('\u202ea', true)] }),
      Object.assign(structuredClone(bare), {
        spec: { nodeName: 'no\u001bde' },
        status: { phase: 'Fail\u0000ed', podIP: '10.0.0.1' },
      }),
    ];
    const project = createProjector(kind, silent);
    for (const before of states) {
      for (const now of states)
        expect(project(now, project(before, undefined))).toEqual(project(now, undefined));
    }
  });

  test('a change that no cell shows gives a new entry with the same cells', () => {
    // Without the column of owners, as most kinds are.
    const kind = { ...pod, columns: pod.columns.filter(({ id }) => id !== 'owner') };
    const project = createProjector(kind, silent);
    const first = project(podOf('a', '1'), undefined);
    const next = podOf('a', '2');
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'rs', controller: true };
    const owned = project({ ...next, metadata: { ...next.metadata, ownerReferences: [owner] } }, first);
    expect(owned).not.toBe(first);
    expect(owned?.cells).toBe(first?.cells);
    expect(owned?.owners).toEqual([{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'rs' }]);
  });

  test('facts and trouble are held, cleaned, and a rule that throws is none', () => {
    const broken = { ...podOf('a', '1'), spec: { nodeName: 'no\u001bde' } };
    Object.assign(broken.status, {
      containerStatuses: [
        { name: 'app', state: { waiting: { reason: 'ImagePullBackOff', message: 'no\u0007 such image' } } },
      ],
    });
    const entry = createProjector(pod, silent)(broken, undefined);
    expect(entry?.facts['node']).toBe('node');
    expect(entry?.attention).toMatchObject({ rule: 'pod.image', tone: 'bad', detail: 'no such image' });
    const throws = defineKind({
      id: 'odd',
      kind: 'Odd',
      group: '',
      version: 'v1',
      plural: 'odds',
      scope: 'Cluster',
      title: 'Odds',
      icon: 'object',
      permissions: { view: 'clusters.view', manage: 'resources.manage' },
      paths: { list: '/odds' },
      columns: ['name'],
      attention: () => {
        throw new Error('no such field');
      },
    });
    const odd = createProjector(throws, silent)({ metadata: { name: 'a' } }, undefined);
    expect(odd).toMatchObject({ cells: ['a'], attention: undefined });
  });

  test('equal labels, statuses and namespaces of many objects are held once', () => {
    const project = createProjector(pod, silent);
    const a = project(podOf('a', '1'), undefined);
    const b = project(podOf('b', '2'), undefined);
    const status = pod.columns.findIndex((column) => column.id === 'status');
    expect(a?.labels).toBe(b?.labels);
    expect(a?.cells[status]).toEqual(['Running', 'ok']);
    expect(a?.cells[status]).toBe(b?.cells[status]);
  });

  test('nothing of the object but its row, facts, name, version, labels and owners is held', () => {
    const object = { ...podOf('a', '1'), spec: { containers: [{ env: [{ value: 'canary-secret' }] }] } };
    expect(JSON.stringify(createProjector(pod, silent)(object, undefined))).not.toContain('canary-secret');
  });
});
