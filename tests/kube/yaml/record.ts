import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Case, cases } from './cases.ts';

/**
 * Asks real kubectls, and a real Helm, how they read each case, and records their common answers in
 * `recorded.gen.json`:
 *
 *     node tests/kube/yaml/record.ts [--helm PATH] KUBECTL...
 *
 * Stops if two of them differ.
 */

/** A program's answer to a text: its objects without their names, or nothing if it rejects the text. */
type Answer = { readonly documents: readonly unknown[] } | { readonly error: string };

const nameOf = (index: number) => `case-${index}`;

function textOf({ yaml }: Case, index: number): string {
  if (/kind["']?: /.test(yaml)) return yaml.replaceAll('NAME', nameOf(index));
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${nameOf(index)}}\n${yaml}`;
}

function write(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [index, one] of cases.entries())
    writeFileSync(join(folder, `${nameOf(index)}.yaml`), textOf(one, index));
}

const withoutName = ({
  apiVersion: _version,
  kind: _kind,
  metadata: _metadata,
  ...rest
}: Record<string, unknown>) => rest;

/** Asks kubectl about all texts at once, without a cluster. */
function askKubectl(kubectl: string, folder: string): readonly Answer[] {
  const { stdout, stderr } = spawnSync(
    kubectl,
    ['label', '--local', '-f', folder, '-o', 'json', 'recorded=yes'],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  const documents = new Map<string, unknown[]>();
  for (const text of stdout.split(/(?<=^\}\n)/m).filter((part) => part.trim() !== '')) {
    const object = JSON.parse(text) as Record<string, unknown> & {
      readonly metadata: { readonly name: string };
    };
    const { name } = object.metadata;
    documents.set(name, [...(documents.get(name) ?? []), withoutName(object)]);
  }
  const errors = new Map(
    [...stderr.matchAll(/^error parsing \S*\/(case-\d+)\.yaml: (.*)$/gm)].map(
      ([, name = '', error = '']) => [name, error.replace(/^error converting YAML to JSON: /, '')] as const,
    ),
  );
  return cases.map((_one, index) => {
    const error = errors.get(nameOf(index));
    return error === undefined ? { documents: documents.get(nameOf(index)) ?? [] } : { error };
  });
}

/** Asks Helm through a chart that reads the texts as its own files. It reads only the first document of each. */
function askHelm(helm: string, folder: string): readonly Answer[] {
  const chart = join(folder, 'chart');
  mkdirSync(join(chart, 'templates'), { recursive: true });
  writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: recorded\nversion: 1.0.0\n');
  writeFileSync(
    join(chart, 'templates', 'all.yaml'),
    'all:\n{{- range $path, $_ := .Files.Glob "cases/*" }}\n- {{ dict "path" $path "value" ($.Files.Get $path | fromYaml) | toJson }}\n{{- end }}\n',
  );
  write(join(chart, 'cases'));
  const out = execFileSync(helm, ['template', 'recorded', chart], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const found = new Map<string, Answer>();
  for (const [, line = ''] of out.matchAll(/^- (\{.*\})$/gm)) {
    const { path, value } = JSON.parse(line) as { path: string; value: Record<string, unknown> };
    const error = value['Error'];
    const name = /case-\d+/.exec(path)?.[0] ?? '';
    found.set(name, typeof error === 'string' ? { error } : { documents: [withoutName(value)] });
  }
  return cases.map((_one, index) => found.get(nameOf(index)) ?? { error: 'not answered' });
}

/** Whether two programs read a text alike; their messages may differ. */
function isAlike(one: Answer, other: Answer): boolean {
  if ('error' in one || 'error' in other) return 'error' in one && 'error' in other;
  // JSON knows no -0.
  return isDeepStrictEqual(
    ...([one, other].map((side) => JSON.parse(JSON.stringify(side))) as [unknown, unknown]),
  );
}

function versionOf(kubectl: string): string {
  const out = execFileSync(kubectl, ['version', '--client', '-o', 'json'], { encoding: 'utf8' });
  const { clientVersion } = JSON.parse(out) as { clientVersion: { gitVersion: string; goVersion: string } };
  return `kubectl ${clientVersion.gitVersion} (${clientVersion.goVersion})`;
}

const args = process.argv.slice(2);
const helm = args[0] === '--helm' ? args.splice(0, 2)[1] : undefined;
const kubectls = args.length === 0 ? ['kubectl'] : args;
const folder = mkdtempSync(join(tmpdir(), 'yaml-cases-'));
try {
  write(join(folder, 'cases'));
  const [first = [], ...others] = kubectls.map((kubectl) => askKubectl(kubectl, join(folder, 'cases')));
  const byHelm = helm === undefined ? undefined : askHelm(helm, folder);
  const differing = cases.flatMap((one, index) => {
    const answer = first[index] ?? { error: '' };
    const all = others.map((answers) => answers[index]);
    // Helm's function reads only one document, and JSON as YAML.
    if (!/^---|^\{|\n---/.test(one.yaml)) all.push(byHelm?.[index]);
    return all.some((other) => other !== undefined && !isAlike(answer, other))
      ? [JSON.stringify({ yaml: one.yaml, answer, all })]
      : [];
  });
  if (differing.length > 0) throw new Error(`They differ:\n${differing.join('\n')}`);
  const versions = kubectls.map(versionOf);
  if (helm !== undefined)
    versions.push(`helm ${execFileSync(helm, ['version', '--short'], { encoding: 'utf8' }).trim()}`);
  const recorded = {
    recordedBy: 'node tests/kube/yaml/record.ts [--helm PATH] KUBECTL...',
    command:
      'kubectl label --local -f FOLDER -o json recorded=yes; in Helm `.Files.Get FILE | fromYaml | toJson`',
    programs: versions,
    cases: cases.map((one, index) => ({ ...one, ...first[index] })),
  };
  const lines = JSON.stringify({ ...recorded, cases: [] }, null, 2).replace(
    '"cases": []',
    () => `"cases": [\n${recorded.cases.map((one) => `    ${JSON.stringify(one)}`).join(',\n')}\n  ]`,
  );
  writeFileSync(join(import.meta.dirname, 'recorded.gen.json'), `${lines}\n`);
  process.stdout.write(`${cases.length} cases, by ${versions.join(', ')}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
