import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { realHelm } from './helm.ts';

/** Folder of the chart. */
export const chart = resolve(import.meta.dirname, '../../deploy/chart');
const valuesFolder = join(import.meta.dirname, 'values');

/** The values files that the chart is rendered with, by name. */
export const valueNames = readdirSync(valuesFolder).map((file) => file.replace(/\.yaml$/, ''));

/** The values file of a name. */
export const valuesFile = (name: string): string => join(valuesFolder, `${name}.yaml`);

/** What Helm answered: what it rendered, or why not. */
export interface Rendering {
  readonly manifests: string;
  readonly refusal: string;
}

/** Runs Helm on the chart, as `command` says (`template console` and others). */
export function runHelm(command: readonly string[]): Rendering {
  if (realHelm.missing !== undefined) return { manifests: '', refusal: realHelm.missing };
  const { status, stdout, stderr } = spawnSync(realHelm.program, command, { encoding: 'utf8' });
  return { manifests: stdout, refusal: status === 0 ? '' : `${stderr}${stdout}` };
}

/** Renders the chart with the values file of a name and `--set` values besides. */
export const render = (name: string, ...set: readonly string[]): Rendering =>
  runHelm([
    'template',
    'console',
    chart,
    '--namespace=wheelhouse',
    '--kube-version=1.36.0',
    `--values=${valuesFile(name)}`,
    ...set.flatMap((value) => ['--set', value]),
  ]);

/** A rendered object, as far as tests read it. */
export interface Rendered {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly rules?: readonly {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly verbs: readonly string[];
  }[];
}

/** The objects of a rendering. Throws where its YAML cannot be read. */
export function objectsOf(manifests: string): readonly Rendered[] {
  return parseAllDocuments(manifests)
    .map((document) => {
      if (document.errors[0] !== undefined) throw document.errors[0];
      return document.toJS() as Rendered | null;
    })
    .filter((one) => one !== null);
}
