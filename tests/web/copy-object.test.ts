import { describe, expect, test } from 'vitest';
import { kindById, kinds } from '../../commands/kinds/index.ts';
import { copyActions } from '../../commands/actions/copy.ts';
import type { ObjectRef } from '../../src/registry/commands/invocation.ts';
import type { CopiedPart } from '../../src/registry/commands/services.ts';
import { copiedText, copiedWords } from '../../src/web/features/actions/copy-object.ts';

const origin = 'https://console.example.org';
const copied = (what: CopiedPart, ref: ObjectRef) => {
  const kind = kindById(ref.kind);
  if (kind === undefined) throw new Error(`There is no kind ${ref.kind}.`);
  return copiedText(what, ref, { kind, origin });
};

describe('what is copied of an object', () => {
  const pod: ObjectRef = { cluster: '3', kind: 'pod', namespace: 'shop', name: 'web-0' };
  const node: ObjectRef = { cluster: '3', kind: 'node', name: 'worker-a1' };
  const role: ObjectRef = { cluster: '3', kind: 'role', namespace: 'shop', name: 'system:reader' };

  test('is its name, the command that shows it, or the address of its page', () => {
    expect(copied('name', pod)).toBe('web-0');
    expect(copied('kubectl', pod)).toBe('kubectl get pods/web-0 -n shop');
    expect(copied('link', pod)).toBe(`${origin}/clusters/3/namespaces/shop/pods/web-0`);
    expect(copied('kubectl', node)).toBe('kubectl get nodes/worker-a1');
    expect(copied('link', role)).toMatch(/^https:\/\/console\.example\.org\/clusters\/3\/namespaces\/shop\//);
  });

  test('of a release is Helm’s own command', () => {
    const release: ObjectRef = { cluster: '3', kind: 'release', namespace: 'shop', name: 'tideline' };
    expect(copied('kubectl', release)).toBe('helm status -n shop -- tideline');
  });

  test('is counted in the message', () => {
    expect([copiedWords('name', 1), copiedWords('link', 3)]).toEqual(['Name', '3 links']);
  });

  test('is in the menus of every row, for every kind', () => {
    for (const command of copyActions(kinds)) {
      expect(command.places).toContain('row-menu');
      for (const { id } of kinds) expect(command.actsOn).toContain(id);
    }
  });
});
