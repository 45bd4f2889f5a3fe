import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { kinds } from '../../../commands/kinds/index.ts';
import { pod } from '../../../commands/kinds/pod.ts';
import { defineKind } from '../../../src/registry/kind.ts';
import { createProjector } from '../../../src/server/live/projector.ts';
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
    expect(entry?.cells).toContain('a[31mb');
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

  test('the same cells give the same entry, with version and labels brought up to date', () => {
    const project = createProjector(pod, silent);
    const first = project(podOf('a', '1'), undefined);
    const next = podOf('a', '2');
    next.metadata.labels = { app: 'other' };
    expect(project(next, first)).toBe(first);
    expect(first).toMatchObject({ version: '2', labels: { app: 'other' } });
    expect(project(podOf('a', '3', 'Failed'), first)).not.toBe(first);
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

  test('nothing of the object but its row, name, version and labels is held', () => {
    const object = { ...podOf('a', '1'), spec: { containers: [{ env: [{ value: 'canary-secret' }] }] } };
    expect(JSON.stringify(createProjector(pod, silent)(object, undefined))).not.toContain('canary-secret');
  });
});
