import type { TemplateValues } from '../../src/registry/commands/command.ts';

/** The name of the object in every template. */
const name = 'example';
const label = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
const hostName = /^(?:\*\.)?[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

/** A namespace as a YAML scalar, quoted if necessary; `default` if it is invalid. */
export function namespaceIn({ namespace = '' }: TemplateValues): string {
  if (!label.test(namespace)) return 'default';
  return /^[a-z][-a-z0-9]*$/.test(namespace) && !/^(?:true|false|null|yes|no|on|off|y|n)$/.test(namespace)
    ? namespace
    : `"${namespace}"`;
}

/** A host as a YAML scalar; `example.com` if it is invalid. */
export function hostIn({ host = '' }: TemplateValues): string {
  if (host.length > 253 || !hostName.test(host)) return 'example.com';
  return /^[a-z]/.test(host) ? host : `"${host}"`;
}

/** The beginning of a template: apiVersion, kind, name and namespace. */
export function headOf(apiVersion: string, kind: string, values: TemplateValues, labelled: boolean): string {
  return `apiVersion: ${apiVersion}
kind: ${kind}
metadata:
  name: ${name}
  namespace: ${namespaceIn(values)}
${labelled ? `  labels:\n    app: ${name}\n` : ''}`;
}
