import { z } from 'zod';
import type { Ref } from '../../contract/objects.ts';
import { calledOf } from './rules/question-names.ts';
import type { ToolParts } from './tool.ts';

/** Inputs of tools: a kind, a namespace and a name as a model writes them. */
export const kind = z
  .string()
  .min(1)
  .max(400)
  .describe('Kind in lower case, such as deployment, pod, node, service, or crd:plural.group');
export const namespace = z.string().max(253).optional();
export const name = z.string().min(1).max(253);
export const object = z.object({ kind, namespace, name });
/** An object as a model names it: the kind may be any name that the cluster knows. */
export type NamedObject = z.output<typeof object>;

/** The object as the API names it, with the kind as it was given. */
export const refOf = ({ kind: id, namespace: space, name: own }: NamedObject): Ref => ({
  kind: id,
  name: own,
  ...(space === undefined || space === '' ? {} : { namespace: space }),
});
/** An object in words: `pod shop/api-0`. */
export const objectText = (named: NamedObject) => `${named.kind} ${calledOf(refOf(named))}`;
/** The namespace as calls take it. */
export const queryOf = ({ namespace: space }: { readonly namespace?: string | undefined }) =>
  space === undefined || space === '' ? {} : { namespace: space };
/** That an object exists, as evidence. */
export const existenceOf = (ref: Ref) => ({ type: 'object', ref, exists: true }) as const;

/** The id of the kind with a declaration, by which pages know the object. */
export const declaredRef = async (parts: ToolParts, named: NamedObject): Promise<Ref> => ({
  ...refOf(named),
  kind: (await parts.findKind(named.kind)).id,
});

/** Reads an object for the person. Throws Problem. */
export const readObject = async (
  named: NamedObject,
  { calls, clusterId }: Pick<ToolParts, 'calls' | 'clusterId'>,
) =>
  await calls.read('object', {
    params: { clusterId, kind: named.kind, name: named.name },
    query: queryOf(named),
  });

/** A text, empty for anything else. */
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
