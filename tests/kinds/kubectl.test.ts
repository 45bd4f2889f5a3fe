import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { kinds } from '../../commands/kinds/index.ts';
import type { ArgDefinition, KindAction } from '../../src/registry/kinds/kind-action.ts';
import { kubectlLine } from '../../src/web/features/actions/copy-object.ts';

/** Object names from a cluster that would do something else when pasted into a shell. */
const names = [
  '$(echo ran)',
  '`echo ran`',
  "it'; echo ran; '",
  'a b',
  '--all',
  '-A',
  'x>/dev/null',
  'a\necho ran',
];

const hostile = '$(echo ran)\'"; echo ran #';

function argOf(definition: ArgDefinition): unknown {
  switch (definition.type) {
    case 'number':
      return definition.max;
    case 'revision':
      return 1;
    case 'text':
    case 'member':
      return hostile;
    case 'choice':
      return definition.default;
    case 'map':
      return { [hostile]: hostile, gone: null };
    default:
      return definition satisfies never;
  }
}

const argsOf = (action: KindAction) =>
  Object.fromEntries(Object.entries(action.args ?? {}).map(([name, one]) => [name, argOf(one)]));

/** The arguments of each kubectl run when texts are pasted into a shell, separated by characters that no name has. */
function pasted(texts: readonly string[]): string[][] {
  const shell = String.raw`kubectl() { printf '%s\0' "$@"; printf '\1'; }; helm() { kubectl "$@"; }`;
  const { stdout, stderr } = spawnSync('bash', ['-c', [shell, ...texts].join('\n')], {
    cwd: tmpdir(),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout
    .split('\u0001')
    .slice(0, -1)
    .map((words) => words.split('\0').slice(0, -1));
}

const verbs = [
  'annotate',
  'cordon',
  'create',
  'delete',
  'drain',
  'label',
  'patch',
  'rollback',
  'rollout',
  'scale',
  'set',
  'uncordon',
  'uninstall',
];

it.each(kinds.map((kind) => [kind.id, kind] as const))(
  'what is pasted for a %s runs kubectl once and nothing else, whatever the cluster calls its objects',
  (_id, { group, version, plural, scope, actions }) => {
    const texts = actions.flatMap((action) =>
      names.flatMap((name) => {
        const place = scope === 'Cluster' ? {} : { namespace: name };
        return action.kubectl({ group, version, plural, name, ...place }, argsOf(action) as never) ?? [];
      }),
    );
    const runs = pasted(texts);
    expect(runs).toHaveLength(texts.length);
    for (const words of runs) {
      expect(verbs).toContain(words[0]);
      // Arguments after two dashes are no options.
      const given = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
      const options = given.filter((word, index) => word.startsWith('-') && given[index - 1] !== '-n');
      expect(options).not.toContain('--all');
      expect(options).not.toContain('-A');
    }
  },
);

it('the line that is copied of an object shows that one object, whatever it is called', () => {
  const lines = kinds.flatMap((kind) =>
    names.map((name) => ({
      name,
      text: kubectlLine(kind, { name, ...(kind.scope === 'Namespaced' ? { namespace: hostile } : {}) }),
    })),
  );
  const runs = pasted(lines.map(({ text }) => text));
  expect(runs).toHaveLength(lines.length);
  for (const [at, words] of runs.entries()) {
    expect(['get', 'status']).toContain(words[0]);
    expect(
      words.filter((word) => word === lines[at]?.name || word.endsWith(`/${lines[at]?.name}`)),
    ).toHaveLength(1);
  }
});
