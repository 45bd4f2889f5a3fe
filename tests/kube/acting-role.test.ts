import { describe, expect, test } from 'vitest';
import { actingRole } from '../../src/kube/acting-role.ts';
import { textOf } from '../sources.ts';

describe('the role to act as people', () => {
  test.each([
    ['v1.36.2', true],
    ['v1.36.0-eks-1a2b', true],
    ['v1.40.1', true],
    ['v2.0.0', true],
    [undefined, true],
    ['v1.35.9', false],
    ['1.25.0', false],
  ])('of %s is narrow: %s', (version, isNarrow) => {
    expect(actingRole(version).isNarrow).toBe(isNarrow);
  });

  test.each(['v1.36.0', 'v1.25.0'])('of %s is the one that the operations guide has', (version) => {
    expect(textOf('docs/operations.md')).toContain(`\`\`\`yaml\n${actingRole(version).yaml}\`\`\``);
  });
});
