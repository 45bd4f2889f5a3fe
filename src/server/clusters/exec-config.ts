import { resolve } from 'node:path';
import { type FieldReader, isMapping } from './kubeconfig-fields.ts';
import type { ExecPlugin } from './target.ts';

const versions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'] as const;

/**
 * Reads the `exec` of a user in the operator's own file.
 * @param directory relative commands start from it, as kubectl has it
 */
export function readExecPlugin(fields: FieldReader, directory: string): ExecPlugin | undefined {
  const apiVersion = fields.text('apiVersion');
  const command = fields.text('command');
  const args = fields.texts('args') ?? [];
  const env = readEnv(fields);
  const installHint = fields.lines('installHint');
  const provideClusterInfo = fields.flag('provideClusterInfo') ?? false;
  const mode = fields.text('interactiveMode');
  fields.refuseRest();
  const version = versions.find((known) => known === apiVersion);
  if (version === undefined) {
    fields.refuse(`apiVersion must be one of ${versions.join(', ')}.`);
    return undefined;
  }
  if (command === undefined) {
    fields.refuse('command is missing.');
    return undefined;
  }
  if (mode !== undefined && mode !== 'Never' && mode !== 'IfAvailable') {
    fields.refuse('the program needs a terminal (interactiveMode), and the server has none.');
    return undefined;
  }
  return {
    apiVersion: version,
    command: /[\\/]/.test(command) ? resolve(directory, command) : command,
    args,
    env,
    installHint,
    provideClusterInfo,
  };
}

function readEnv(fields: FieldReader): Record<string, string> {
  const env: Record<string, string> = {};
  for (const entry of fields.list('env') ?? []) {
    const name = isMapping(entry) ? entry['name'] : undefined;
    const value = isMapping(entry) ? entry['value'] : undefined;
    if (typeof name === 'string' && typeof value === 'string') env[name] = value;
    else fields.refuse('env must be a list of names and values.');
  }
  return env;
}
